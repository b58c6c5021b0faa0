import {
  BadInclude,
  BadUnits,
  ExpandTooDeep,
  type Field,
  MAX_EXPAND_DEPTH,
  RESOURCES,
  type TypeName,
  UnknownField
} from '../contract.ts'
import { type Parameters, splitList } from './parameters.ts'

/** Fields and units of the records in a response; by default, all fields. */
export interface View {
  readonly units: boolean
  readonly image: boolean
  /** Undefined shows all fields. */
  readonly fields: ReadonlySet<string> | undefined
  /** Links to follow, as a tree: `films.characters` is films → characters. */
  readonly expand: Expansion
}

export interface Expansion extends ReadonlyMap<string, Expansion> {}

const NOTHING: Expansion = new Map()

export function defaultView(units: boolean): View {
  return { units, image: false, fields: undefined, expand: NOTHING }
}

export function parseView(parameters: Parameters, type: TypeName, units: boolean): View {
  const image = parseImage(parameters.get('include'))
  return {
    units: parseUnits(parameters.get('units'), units),
    image,
    fields: parseFields(parameters.get('fields'), type, image),
    expand: parseExpand(parameters.get('expand'), type)
  }
}

export function parseUnits(value: string | undefined, otherwise: boolean): boolean {
  if (value === undefined) return otherwise
  if (value !== 'on' && value !== 'off') throw new BadUnits()
  return value === 'on'
}

export function parseImage(value: string | undefined): boolean {
  const names = splitList(value)
  const unknown = names.find((name) => name !== 'image')
  if (unknown !== undefined) throw new BadInclude(unknown)
  return names.length > 0
}

function parseFields(
  value: string | undefined,
  type: TypeName,
  image: boolean
): ReadonlySet<string> | undefined {
  const names = splitList(value)
  const known = RESOURCES[type].fields.map(({ name }) => name)
  if (image) known.push('image')
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) throw new UnknownField(unknown, 'fields', known.join(', '))
  return names.length > 0 ? new Set(names) : undefined
}

function parseExpand(value: string | undefined, type: TypeName): Expansion {
  const tree: Branch = new Map()
  for (const path of splitList(value)) {
    const steps = path.split('.')
    if (steps.length > MAX_EXPAND_DEPTH) throw new ExpandTooDeep(path)
    growBranch(tree, steps, type)
  }
  return tree
}

interface Branch extends Map<string, Branch> {}

function growBranch(tree: Branch, [step, ...rest]: string[], type: TypeName): void {
  if (step === undefined) return
  const { to } = findLink(step, type)
  const branch = tree.get(step) ?? new Map()
  tree.set(step, branch)
  growBranch(branch, rest, to)
}

function findLink(name: string, type: TypeName): Extract<Field, { to: TypeName }> {
  const links = RESOURCES[type].fields.filter((field) => 'to' in field)
  const found = links.find((field) => field.name === name)
  const known = links.map((field) => field.name).join(', ')
  if (found === undefined) throw new UnknownField(name, 'expand', known)
  return found
}
