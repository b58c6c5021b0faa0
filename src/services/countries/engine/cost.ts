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
import { tooMuch } from './errors.ts'

/** Size of a list field: `one` is the maximum per object, `each` the average, `total` the sum. */
export interface ListSize {
  one: number
  each: number
  total: number
  /** The same element can be in the lists of several objects. */
  shared: boolean
}
export type ListSizes = ReadonlyMap<string, ListSize>

/** Assumed size of lists without an entry in `ListSizes`, which are those of introspection. */
const OTHER_LIST = { one: 50, each: 3 }

/**
 * Parent objects of a selection: either N objects chosen by the client (assume the longest lists)
 * or all objects (use the average length).
 */
type Group = number | 'each'

export interface CostLimits {
  cost: number
  depth: number
  aliases: number
}

interface Measure {
  /** Number of fields in the result; a field counts once for each object that has it. */
  cost: number
  depth: number
}
const NOTHING: Measure = { cost: 0, depth: 0 }

interface ParentCount {
  schema: GraphQLSchema
  sizes: ListSizes
  fragment: (name: string) => FragmentDefinitionNode | null | undefined
}

/**
 * Estimates the number of fields in the result before execution, from the known list sizes. The
 * graph is cyclic, so a short query can request millions of fields.
 */
export function measureOperation(
  operation: OperationDefinitionNode,
  subject: ParentCount
): Measure {
  const { schema, sizes, fragment } = subject
  const measured = new Map<SelectionSetNode, Map<Group, Measure>>()

  /** Measures a set once per group. A fragment in itself counts as 0; another rule rejects it. */
  function measureSet(set: SelectionSetNode, parent: GraphQLCompositeType, group: Group): Measure {
    const byGroup = measured.get(set) ?? new Map<Group, Measure>()
    measured.set(set, byGroup)
    const known = byGroup.get(group)
    if (known !== undefined) return known
    byGroup.set(group, NOTHING)
    const parts = set.selections.map((selection) => measureSelection(selection, parent, group))
    const measure = {
      cost: parts.reduce((sum, { cost }) => sum + cost, 0),
      depth: Math.max(...parts.map(({ depth }) => depth))
    }
    byGroup.set(group, measure)
    return measure
  }

  function measureSelection(
    selection: SelectionSetNode['selections'][number],
    parent: GraphQLCompositeType,
    group: Group
  ): Measure {
    if (selection.kind === Kind.FIELD) return measureField(selection, parent, group)
    if (selection.kind === Kind.INLINE_FRAGMENT) {
      return measureSet(selection.selectionSet, parent, group)
    }
    const definition = fragment(selection.name.value)
    const type = definition && schema.getType(definition.typeCondition.name.value)
    return definition && isCompositeType(type)
      ? measureSet(definition.selectionSet, type, group)
      : NOTHING
  }

  function measureField(node: FieldNode, parent: GraphQLCompositeType, group: Group): Measure {
    const field = fieldOf(schema, parent, node.name.value)
    if (field === undefined) return NOTHING
    const type = getNamedType(field.type)
    const introspection = type.name.startsWith('__')
    const own = group === 'each' ? 1 : group
    const { selectionSet } = node
    if (selectionSet === undefined || !isCompositeType(type)) {
      return { cost: own, depth: introspection ? 0 : 1 }
    }
    const below = (inner: Group) => measureSet(selectionSet, type, inner)
    const size = sizes.get(`${parent.name}.${node.name.value}`)
    const cost = isListOutput(field.type)
      ? costOfList(group, size, writtenFirst(node), (inner) => below(inner).cost)
      : costOfLink(group, (inner) => below(inner).cost)
    return { cost: own + cost, depth: introspection ? 0 : 1 + below('each').depth }
  }

  const root = schema.getRootType(operation.operation)
  return root ? measureSet(operation.selectionSet, root, 1) : NOTHING
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

type CostBelow = (group: Group) => number

/** Different parents may link to the same object, so each of them counts in full. */
function costOfLink(group: Group, below: CostBelow): number {
  return group === 'each' ? below('each') : group * below(1)
}

function costOfList(
  group: Group,
  size: ListSize | undefined,
  first: number | undefined,
  below: CostBelow
): number {
  if (size === undefined) {
    return (group === 'each' ? OTHER_LIST.each : group * OTHER_LIST.one) * below('each')
  }
  const { one, each, total, shared } = size
  if (group === 'each') return each * below('each')
  // The list contains all objects of its type, so the average length applies.
  if (one === total) {
    const all = total * below('each')
    return first === undefined || first >= total ? all : Math.min(below(first), all)
  }
  const length = Math.min(group * one, total)
  if (group === 1 || !shared) return below(length)
  return Math.min(group * below(one), length * below(1))
}

/** Undefined if `first` is a variable, because a variable can have any value. */
function writtenFirst(node: FieldNode): number | undefined {
  const first = node.arguments?.find(({ name }) => name.value === 'first')?.value
  return first?.kind === Kind.INT ? Math.max(0, Number(first.value)) : undefined
}

/** Rejects documents over the limits; the result is cached with the parsed document. */
export function createComplexityRule(sizes: ListSizes, limits: CostLimits) {
  return function ComplexityRule(context: ValidationContext): ASTVisitor {
    const subject: ParentCount = {
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
          context.reportError(
            tooMuch(`The query is nested ${depth} levels deep; at most ${limits.depth} are allowed`)
          )
        }
        if (cost > limits.cost) {
          const text = `This query requests about ${Math.ceil(cost)} fields`
          context.reportError(tooMuch(`${text}; at most ${limits.cost} are allowed`))
        }
      },
      Document: {
        leave() {
          if (aliases > limits.aliases) {
            context.reportError(
              tooMuch(`The query has ${aliases} aliases; at most ${limits.aliases} are allowed`)
            )
          }
        }
      }
    }
  }
}
