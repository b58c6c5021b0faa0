import { UserError } from '../../../../kernel/errors.ts'
import type { Finding } from '../../../../kernel/service.ts'
import { isObject, type Json, type JsonObject } from '../json.ts'
import { nameOf } from '../load.ts'
import { parseValue } from '../parse.ts'
import { relocate } from '../relocate.ts'
import type { Amendment } from './amendment.ts'
import { applyAction } from './apply-overlay.ts'
import { type CopyOnWriteDocument, createDraft } from './copy-on-write-document.ts'
import { applyPatchOperation, type PatchOperation, readPatchOperation } from './json-patch.ts'
import { createSelect, type Select } from './json-path.ts'
import { createLimits, type PatchLimits } from './limits.ts'
import { applyMergePatch } from './merge-patch.ts'
import { mistake, type Overlay, readOverlay } from './overlay.ts'

/** A document and the name that the operator gave it. */
export interface Target {
  url: URL
  name: string | undefined
}

/** Overlays and patches, read and ready for the documents of one load. */
export interface Amendments {
  files: readonly string[]
  /** Returns the document with all changes that apply to it; the argument is not modified. */
  amend: (target: Target, document: JsonObject) => Promise<JsonObject>
  /** Warnings, complete once every document is amended. */
  findings: () => Finding[]
}

/** Maximum number of warnings per overlay about its actions; the rest is only counted. */
const MAX_REMARKS = 20

type Content =
  | { kind: 'overlay'; overlay: Overlay }
  | { kind: 'operations'; operations: readonly PatchOperation[] }
  | { kind: 'merge'; patch: JsonObject }

interface Opened {
  amendment: Amendment
  content: Content
  /** Actions with a match in at least one document, and actions without a match in at least one. */
  met: Set<number>
  missed: Set<number>
}

interface Work {
  draft: CopyOnWriteDocument
  limits: PatchLimits
  select: Select
  to: string
}

export async function openAmendments(
  amendments: readonly Amendment[],
  targets: readonly Target[],
  readText: (url: URL) => Promise<string>
): Promise<Amendments> {
  for (const { name, text } of amendments) {
    if (name !== undefined && !targets.some((target) => target.name === name)) {
      throw new UserError(`${text}: there is no document named ${name}`)
    }
  }
  const opened = await Promise.all(
    amendments.map(async (amendment): Promise<Opened> => {
      const location = nameOf(amendment.url.href)
      const value = await parseValue(await readText(amendment.url), location)
      const content = readContent(amendment, value, location)
      return { amendment, content, met: new Set(), missed: new Set() }
    })
  )

  return {
    files: amendments.map(({ url }) => url.href),
    async amend(target, document) {
      const meant = opened.filter((one) => isMeantFor(one, target, targets))
      if (meant.length === 0) return document
      const limits = createLimits()
      const draft = createDraft(document)
      const hasOverlay = meant.some(({ content }) => content.kind === 'overlay')
      const select = hasOverlay ? await createSelect(limits) : () => []
      for (const one of meant) apply(one, { draft, limits, select, to: target.url.href })
      const root = draft.root()
      if (!isObject(root))
        throw new UserError(`${nameOf(target.url.href)} is no longer an object after the changes`)
      return root
    },
    findings: () => opened.flatMap((one) => remarksOn(one, targets))
  }
}

function readContent({ kind }: Amendment, value: Json, location: string): Content {
  if (kind === 'overlay') return { kind, overlay: readOverlay(value, location) }
  if (Array.isArray(value)) {
    const operations = value.map((item, index) =>
      at(location, `/${index}`, () => readPatchOperation(item))
    )
    return { kind: 'operations', operations }
  }
  if (!isObject(value)) {
    throw mistake(location, '', 'is not a patch: a JSON Patch is an array, a Merge Patch an object')
  }
  if (Object.hasOwn(value, 'overlay') && Object.hasOwn(value, 'actions')) {
    throw mistake(location, '', 'is an overlay: pass it with --overlay')
  }
  return { kind: 'merge', patch: value }
}

/** `extends` selects the document; an overlay that extends an unknown document applies to each. */
function isMeantFor(opened: Opened, target: Target, targets: readonly Target[]): boolean {
  const { name } = opened.amendment
  if (name !== undefined) return name === target.name
  const wanted = extendedBy(opened)
  const isKnown = targets.some(({ url }) => url.href === wanted)
  return !isKnown || target.url.href === wanted
}

function extendedBy({ amendment, content }: Opened): string | undefined {
  if (content.kind !== 'overlay' || content.overlay.extends === undefined) return undefined
  const url = URL.parse(content.overlay.extends, amendment.url.href)
  if (url !== null) url.hash = ''
  return url?.href ?? content.overlay.extends
}

function apply(opened: Opened, work: Work): void {
  const { amendment, content, met, missed } = opened
  const { draft, limits } = work
  const location = nameOf(amendment.url.href)
  if (content.kind === 'merge') {
    at(location, '', () => applyMergePatch(content.patch, draft, limits))
  } else if (content.kind === 'operations') {
    for (const [index, operation] of content.operations.entries()) {
      at(location, `/${index}`, () => applyPatchOperation(operation, draft, limits))
    }
  } else {
    for (const [index, action] of content.overlay.actions.entries()) {
      const update = action.update && relocate(action.update, amendment.url.href, work.to)
      const found = at(location, `/actions/${index}`, () =>
        applyAction(content.overlay, { ...action, update }, work)
      )
      const known = found > 0 ? met : missed
      known.add(index)
    }
  }
}

/** Prefixes the message of an error inside with the location in the file. */
function at<T>(location: string, pointer: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    if (!(cause instanceof UserError)) throw cause
    throw mistake(location, pointer, cause.message)
  }
}

function remarksOn(opened: Opened, targets: readonly Target[]): Finding[] {
  const { amendment, content, met, missed } = opened
  if (content.kind !== 'overlay') return []
  const where = nameOf(amendment.url.href)
  const wanted = extendedBy(opened)
  const isStranger = wanted !== undefined && !targets.some(({ url }) => url.href === wanted)
  const remarks = content.overlay.actions.flatMap(({ target, remove, update, copy }, index) => {
    const pointer = `${where}#/actions/${index}`
    const isVain = missed.has(index) && !met.has(index)
    if (isVain) return [warning(pointer, `The target ${target} has no match`)]
    const isIdle = !remove && update === undefined && copy === undefined
    return isIdle ? [warning(pointer, 'The action has no update, copy or remove')] : []
  })
  const surplus = remarks.length - MAX_REMARKS
  return [
    ...(isStranger
      ? [warning(`${where}#/extends`, `The overlay extends another document: ${nameOf(wanted)}`)]
      : []),
    ...remarks.slice(0, MAX_REMARKS),
    ...(surplus > 0 ? [warning(where, `${surplus} more actions have the same problem`)] : [])
  ]
}

function warning(where: string, text: string): Finding {
  return { level: 'warning', where, text }
}
