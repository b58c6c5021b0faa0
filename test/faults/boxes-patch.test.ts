import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jsonPatch } from '../../src/services/boxes/text/json-patch.ts'
import { mergePatch } from '../../src/services/boxes/text/merge-patch.ts'
import { elementsOf, membersOf } from '../../src/services/boxes/text/spans.ts'
import { EFFORT } from '../support/effort.ts'
import { createRandom, type Random } from '../support/random.ts'
import { createGenerator, NAMES } from './boxes-records.ts'

/**
 * Records are those of boxes-records.ts: 2 to 6 members, every fifth with one of them twice, two
 * names of five are `a`, a fifth odd (quotes, `__proto__`, beyond ASCII, escapes), values a tenth
 * at the edge of a double, a fifth containers of up to three levels.
 * A merge patch is such a record in which a third of the values are null and a quarter objects.
 * A JSON Patch has one to five operations, 70 % at a place that is there (or just behind it),
 * 30 % anywhere; 25 % add, 20 % remove, 20 % replace, 15 % move, 10 % copy, 10 % test.
 */
const CASES = 2500 * EFFORT

/** Leaves keep their text, so that equal models have equal bytes in every leaf. */
type Model = string | Model[] | Map<string, Model>

function modelOf(text: string): Model {
  if (text.startsWith('{')) {
    const members = membersOf(text, 0)
    return new Map(
      members.map(({ name, valueStart, end }) => [name, modelOf(text.slice(valueStart, end))])
    )
  }
  if (text.startsWith('[')) {
    return elementsOf(text, 0).map(({ start, end }) => modelOf(text.slice(start, end)))
  }
  return text
}

function mergeModels(target: Model | undefined, patch: Model): Model {
  if (!(patch instanceof Map)) return patch
  const result = new Map(target instanceof Map ? target : [])
  for (const [name, value] of patch) {
    if (value === 'null') result.delete(name)
    else result.set(name, mergeModels(result.get(name), value))
  }
  return result
}

/** The members of an object that the patch leaves alone, as they are written. */
function untouched(text: string, named: ReadonlySet<string>): string[] {
  return membersOf(text, 0)
    .filter(({ name }) => !named.has(name))
    .map(({ start, end }) => text.slice(start, end))
}

function checkBytes(target: string, patch: Map<string, Model>, result: string): number {
  const named = new Set(patch.keys())
  const kept = untouched(target, named)
  assert.deepEqual(untouched(result, named), kept, `${target}\n${result}`)
  let count = kept.length
  const before = new Map(
    membersOf(target, 0).map((one) => [one.name, target.slice(one.valueStart, one.end)])
  )
  for (const { name, valueStart, end } of membersOf(result, 0)) {
    const inner = patch.get(name)
    const old = before.get(name)
    if (!(inner instanceof Map) || !old?.startsWith('{')) continue
    count += checkBytes(old, inner, result.slice(valueStart, end))
  }
  return count
}

function createPatches(random: Random) {
  const generator = createGenerator(random)
  const { chance, list, name, quote, value } = generator
  function mergeable(depth = 0): string {
    const member = () => {
      const roll = random.below(12)
      const inside = roll < 4 ? 'null' : roll < 7 && depth < 3 ? mergeable(depth + 1) : value()
      return `${quote(name(50))}:${inside}`
    }
    return `{${list(1 + random.below(4), member).join(', ')}}`
  }
  function quotePart(part: string): string {
    return part.replaceAll('~', '~0').replaceAll('/', '~1')
  }
  /** Down a random way into the record, and at times one step off it. */
  function pointer(model: Model): string {
    let at = model
    let text = ''
    while (chance(text === '' ? 98 : 50)) {
      const isMap = at instanceof Map
      const names = isMap ? [...(at as Map<string, Model>).keys()] : Object.keys(at)
      if (typeof at === 'string' || names.length === 0 || chance(12)) {
        return `${text}/${quotePart(random.pick([...NAMES, '0', '-', 'x']))}`
      }
      const next = names[random.below(names.length)] ?? 'x'
      text += `/${quotePart(next)}`
      at = (isMap ? (at as Map<string, Model>).get(next) : (at as Model[])[Number(next)]) ?? 'null'
    }
    return text
  }
  function operation(model: Model): string {
    const path = JSON.stringify(pointer(model))
    const roll = random.below(100)
    if (roll < 25) return `{"op":"add","path":${path},"value":${value()}}`
    if (roll < 45) return `{"op":"remove","path":${path}}`
    if (roll < 65) return `{"op":"replace","path":${path},"value": ${value()} }`
    if (roll < 80) return `{"op":"move","path":${path},"from":${JSON.stringify(pointer(model))}}`
    if (roll < 90) return `{"op":"copy","path":${path},"from":${JSON.stringify(pointer(model))}}`
    return `{"op":"test","path":${path},"value":${value()}}`
  }
  return {
    record: generator.record,
    mergeable,
    operations: (text: string) => list(1 + random.below(5), () => operation(modelOf(text)))
  }
}

test('merge patches do what a plain implementation does, and keep every other byte', (t) => {
  const { record, mergeable } = createPatches(createRandom(11))
  let kept = 0
  let same = 0
  for (let n = 0; n < CASES; n++) {
    const target = record()
    const patch = mergeable()
    const result = mergePatch(target, patch)
    JSON.parse(result)
    const wanted = mergeModels(modelOf(target), modelOf(patch))
    assert.deepEqual(modelOf(result), wanted, `${target}\n${patch}\n${result}`)
    kept += checkBytes(target, modelOf(patch) as Map<string, Model>, result)
    if (result === target) same += 1
  }
  t.diagnostic(`${CASES} patches, ${kept} members kept, ${same} changed nothing`)
  assert.ok(kept > CASES && same < CASES / 4)
})

/** RFC 6902 on models; undefined where the RFC says that it is an error. */
function applyPlainly(root: Model, operation: string): Model | undefined {
  const given = modelOf(operation) as Map<string, Model>
  const read = (name: string) => JSON.parse(given.get(name) as string) as string
  const names = (pointer: string) =>
    pointer === ''
      ? []
      : pointer
          .slice(1)
          .split('/')
          .map((one) => one.replaceAll('~1', '/').replaceAll('~0', '~'))
  const child = (model: Model | undefined, name: string): Model | undefined => {
    if (model instanceof Map) return model.get(name)
    return Array.isArray(model) && /^(0|[1-9]\d*)$/.test(name) ? model[Number(name)] : undefined
  }
  const find = (model: Model, path: string[]) =>
    path.reduce<Model | undefined>((at, name) => child(at, name), model)
  const op = read('op')
  const path = names(read('path'))
  function add(model: Model, value: Model): Model | undefined {
    if (path.length === 0) return value
    const parent = find(model, path.slice(0, -1))
    const name = path.at(-1) ?? ''
    if (parent instanceof Map) parent.set(name, value)
    else if (Array.isArray(parent)) {
      const index = name === '-' ? parent.length : /^(0|[1-9]\d*)$/.test(name) ? Number(name) : -1
      if (index < 0 || index > parent.length) return undefined
      parent.splice(index, 0, value)
    } else return undefined
    return model
  }
  function remove(model: Model, at: string[]): Model | undefined {
    if (find(model, at) === undefined || at.length === 0) return undefined
    const parent = find(model, at.slice(0, -1))
    if (parent instanceof Map) parent.delete(at.at(-1) ?? '')
    else (parent as Model[]).splice(Number(at.at(-1)), 1)
    return model
  }
  if (op === 'add') return add(root, given.get('value') ?? '')
  if (op === 'remove') return remove(root, path)
  if (op === 'replace') {
    if (find(root, path) === undefined) return undefined
    if (path.length === 0) return given.get('value')
    const parent = find(root, path.slice(0, -1))
    if (parent instanceof Map) parent.set(path.at(-1) ?? '', given.get('value') ?? '')
    else (parent as Model[])[Number(path.at(-1))] = given.get('value') ?? ''
    return root
  }
  if (op === 'test') return undefined
  const from = names(read('from'))
  const moved = find(root, from)
  if (moved === undefined) return undefined
  if (op === 'copy') return add(root, structuredClone(moved))
  if (path.length > from.length && from.every((name, at) => name === path[at])) return undefined
  const left = remove(root, from)
  return left === undefined ? undefined : add(left, moved)
}

test('JSON Patches do what a plain implementation does, operation by operation', (t) => {
  const { record, operations } = createPatches(createRandom(12))
  const total = { applied: 0, refused: 0, tested: 0 }
  for (let n = 0; n < CASES; n++) {
    let text = record()
    for (const operation of operations(text)) {
      const run = () => jsonPatch(text, `[${operation}]`)
      if (operation.startsWith('{"op":"test"')) {
        total.tested += 1
        try {
          assert.equal(run(), text)
        } catch (error) {
          assert.match(
            String((error as { code?: string }).code),
            /^PATCH_(TEST_)?FAILED$/,
            operation
          )
        }
        continue
      }
      const wanted = applyPlainly(modelOf(text), operation)
      if (wanted === undefined) {
        total.refused += 1
        assert.throws(run, { code: 'PATCH_FAILED' }, `${text}\n${operation}`)
        continue
      }
      total.applied += 1
      const result = run()
      JSON.parse(result)
      assert.deepEqual(modelOf(result), wanted, `${text}\n${operation}\n${result}`)
      if (!result.startsWith('{')) break
      text = result
    }
  }
  t.diagnostic(JSON.stringify(total))
  assert.ok(total.applied > CASES && total.refused > CASES / 10 && total.tested > CASES / 10)
})
