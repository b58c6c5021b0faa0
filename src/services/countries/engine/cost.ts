import {
  type ASTVisitor,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isListType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
  type ValidationContext
} from 'graphql'
import { tooMuch } from './failures.ts'

/** Elements of a list: of one chosen object at most, and of each of many on average. */
export interface ListSize {
  one: number
  each: number
}
export type ListSizes = ReadonlyMap<string, ListSize>

/** Lists that say nothing about themselves are those of introspection. */
const OTHER_LIST: ListSize = { one: 50, each: 3 }

export interface Limits {
  cost: number
  depth: number
  aliases: number
}

interface Measure {
  /** Fields that are answered, each once for every object that has it. */
  cost: number
  depth: number
}
const NOTHING: Measure = { cost: 0, depth: 0 }

interface Subject {
  schema: GraphQLSchema
  sizes: ListSizes
  fragment: (name: string) => FragmentDefinitionNode | null | undefined
}

/**
 * The graph is cyclic, so a few characters can ask for millions of fields. Their number is known
 * before anything is run, because all lists are.
 */
export function measureOperation(operation: OperationDefinitionNode, subject: Subject): Measure {
  const { schema, sizes, fragment } = subject
  const measured = new Map<string, Measure>()

  function measureSet(set: SelectionSetNode, parent: GraphQLCompositeType, many: boolean): Measure {
    let cost = 0
    let depth = 0
    for (const selection of set.selections) {
      const part = measureSelection(selection, parent, many)
      cost += part.cost
      depth = Math.max(depth, part.depth)
    }
    return { cost, depth }
  }

  function measureSelection(
    selection: SelectionSetNode['selections'][number],
    parent: GraphQLCompositeType,
    many: boolean
  ): Measure {
    if (selection.kind === Kind.FIELD) return measureField(selection, parent, many)
    if (selection.kind === Kind.INLINE_FRAGMENT) {
      return measureSet(selection.selectionSet, parent, many)
    }
    return measureFragment(selection.name.value, many)
  }

  /** Measured once however often it is spread; one that contains itself is refused elsewhere. */
  function measureFragment(name: string, many: boolean): Measure {
    const key = `${name} ${many}`
    const known = measured.get(key)
    if (known !== undefined) return known
    measured.set(key, NOTHING)
    const definition = fragment(name)
    const type = definition && schema.getType(definition.typeCondition.name.value)
    const measure =
      definition && isCompositeType(type)
        ? measureSet(definition.selectionSet, type, many)
        : NOTHING
    measured.set(key, measure)
    return measure
  }

  function measureField(node: FieldNode, parent: GraphQLCompositeType, many: boolean): Measure {
    const field = fieldOf(schema, parent, node.name.value)
    if (field === undefined) return NOTHING
    const type = getNamedType(field.type)
    const introspection = type.name.startsWith('__')
    if (node.selectionSet === undefined || !isCompositeType(type)) {
      return { cost: 1, depth: introspection ? 0 : 1 }
    }
    const isList = isListOutput(field.type)
    const size = isList ? listSize(sizes, `${parent.name}.${node.name.value}`, node, many) : 1
    const below = measureSet(node.selectionSet, type, many || isList)
    return { cost: 1 + size * below.cost, depth: introspection ? 0 : 1 + below.depth }
  }

  const root = schema.getRootType(operation.operation)
  return root ? measureSet(operation.selectionSet, root, false) : NOTHING
}

function fieldOf(schema: GraphQLSchema, parent: GraphQLCompositeType, name: string) {
  if (name === TypeNameMetaFieldDef.name) return TypeNameMetaFieldDef
  if (parent === schema.getQueryType()) {
    if (name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef
    if (name === TypeMetaFieldDef.name) return TypeMetaFieldDef
  }
  return 'getFields' in parent ? (parent as GraphQLObjectType).getFields()[name] : undefined
}

function isListOutput(type: GraphQLOutputType): boolean {
  return isListType(isNonNullType(type) ? type.ofType : type)
}

/** `first` makes a list short only when it is written out: a variable may be anything. */
function listSize(sizes: ListSizes, coordinate: string, node: FieldNode, many: boolean): number {
  const { one, each } = sizes.get(coordinate) ?? OTHER_LIST
  const size = many ? each : one
  const first = node.arguments?.find(({ name }) => name.value === 'first')?.value
  return first?.kind === Kind.INT ? Math.min(size, Math.max(0, Number(first.value))) : size
}

/** Refuses before execution; the result is kept with the parsed document. */
export function createComplexityRule(sizes: ListSizes, limits: Limits) {
  return function ComplexityRule(context: ValidationContext): ASTVisitor {
    const subject: Subject = {
      schema: context.getSchema(),
      sizes,
      fragment: (name) => context.getFragment(name)
    }
    let aliases = 0
    return {
      Field(node) {
        if (node.alias !== undefined) aliases++
      },
      OperationDefinition(node) {
        const { cost, depth } = measureOperation(node, subject)
        if (depth > limits.depth) {
          context.reportError(tooMuch(`Fields are ${depth} deep; ${limits.depth} are allowed`))
        }
        if (cost > limits.cost) {
          const text = `This query asks for about ${Math.ceil(cost)} fields`
          context.reportError(tooMuch(`${text}; ${limits.cost} are allowed`))
        }
      },
      Document: {
        leave() {
          if (aliases > limits.aliases) {
            context.reportError(tooMuch(`${aliases} aliases; ${limits.aliases} are allowed`))
          }
        }
      }
    }
  }
}
