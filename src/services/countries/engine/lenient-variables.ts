import {
  type ASTVisitor,
  GraphQLError,
  GraphQLID,
  GraphQLList,
  GraphQLNonNull,
  GraphQLString,
  type GraphQLType,
  getNullableType,
  isListType,
  isNonNullType,
  isTypeSubTypeOf,
  Kind,
  typeFromAST,
  type ValidationContext,
  type ValueNode,
  type VariableDefinitionNode
} from 'graphql'

/**
 * Replaces VariablesInAllowedPosition; String and ID are interchangeable, because the code of a
 * country was a String until 2020 and documents of both times are in use.
 */
export function LenientVariablesRule(context: ValidationContext): ASTVisitor {
  let definitions = new Map<string, VariableDefinitionNode>()
  return {
    OperationDefinition: {
      enter() {
        definitions = new Map()
      },
      leave(operation) {
        for (const { node, type, defaultValue } of context.getRecursiveVariableUsages(operation)) {
          const name = node.name.value
          const definition = definitions.get(name)
          const given = definition && typeFromAST(context.getSchema(), definition.type)
          if (!definition || !given || !type) continue
          if (isAllowed(context, given, definition.defaultValue, type, defaultValue)) continue
          context.reportError(
            new GraphQLError(
              `Variable "$${name}" of type "${given}" used in position expecting type "${type}".`,
              { nodes: [definition, node] }
            )
          )
        }
      }
    },
    VariableDefinition(node) {
      definitions.set(node.variable.name.value, node)
    }
  }
}

/** GraphQL specification, "All Variable Usages Are Allowed". */
function isAllowed(
  context: ValidationContext,
  given: GraphQLType,
  ownDefault: ValueNode | undefined,
  wanted: GraphQLType,
  positionDefault: unknown
): boolean {
  if (isCodeOfOldDocument(given, wanted)) return true
  const hasDefault =
    (ownDefault !== undefined && ownDefault.kind !== Kind.NULL) || positionDefault !== undefined
  const needed =
    isNonNullType(wanted) && !isNonNullType(given) && hasDefault ? getNullableType(wanted) : wanted
  return isTypeSubTypeOf(context.getSchema(), asText(given), asText(needed))
}

/** Before 2020 the code was optional, so the variable of an old document can be null. */
function isCodeOfOldDocument(given: GraphQLType, wanted: GraphQLType): boolean {
  return given === GraphQLString && isNonNullType(wanted) && wanted.ofType === GraphQLID
}

function asText(type: GraphQLType): GraphQLType {
  if (isNonNullType(type)) return new GraphQLNonNull(asText(type.ofType) as typeof type.ofType)
  if (isListType(type)) return new GraphQLList(asText(type.ofType))
  return type === GraphQLID ? GraphQLString : type
}
