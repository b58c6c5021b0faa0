import { UserError } from '../../kernel/errors.ts'
import type { Finding } from '../../kernel/service.ts'
import { findMistakes } from './author-mistakes.ts'
import { amendmentsOf } from './document/amend/amendment.ts'
import type { Amendments } from './document/amend/amendments.ts'
import { loadDocument } from './document/load.ts'
import { readAmendments, withTrust } from './document/read-amendments.ts'
import { createReadBytes, createReadText } from './document/read-text.ts'
import { fakerFindings } from './faker-findings.ts'
import type { MediaType, Operation } from './model/api.ts'
import { findInvalidExamples } from './response/own-examples.ts'
import type { Side } from './schema/schemas.ts'
import type { ServedApi } from './served-api.ts'
import { serveApi } from './served-api.ts'
import type { MockOptions } from './settings.ts'
import { type DocumentSource, parseSource } from './source.ts'

export interface CheckedDocument {
  /** The argument as typed, or `overlays` for findings about overlays and patches. */
  document: string
  findings: readonly Finding[]
}

/** Findings about a document; compiles every schema and serves nothing. */
export async function checkDocument(text: string): Promise<Finding[]> {
  return check(parseSource(text), PLAIN)
}

type Allowed = Pick<MockOptions, 'allowRemoteRefs' | 'allowRefsOutside'>
type Named = Pick<MockOptions, 'documents' | 'overlay' | 'patch'> & Allowed

interface ReadingOptions extends Allowed {
  amendments: Amendments | undefined
  amendmentUrls: readonly URL[]
}

const PLAIN: ReadingOptions = {
  allowRemoteRefs: false,
  allowRefsOutside: false,
  amendments: undefined,
  amendmentUrls: []
}

/**
 * Findings about documents with overlays and patches applied. The last entry lists overlays and
 * patches without effect.
 */
export async function checkDocuments(named: Named): Promise<CheckedDocument[]> {
  const { sources, reading } = await readNamed(named)
  const checked: CheckedDocument[] = []
  for (const source of sources) {
    checked.push({ document: source.text, findings: await check(source, reading) })
  }
  const remarks = reading.amendments?.findings() ?? []
  if (remarks.length > 0) checked.push({ document: 'overlays', findings: remarks })
  return checked
}

/** Documents as they would be served, with overlays and patches applied. */
export async function readAllServed(named: Named): Promise<ServedApi[]> {
  const { sources, reading } = await readNamed(named)
  return Promise.all(sources.map(async (source) => (await readServed(source, reading)).served))
}

async function readNamed({ documents, overlay, patch, ...allowed }: Named) {
  const sources = documents.map(parseSource)
  const named = amendmentsOf(overlay, patch)
  const amendments = await readAmendments(named, sources)
  const { allowRemoteRefs, allowRefsOutside } = allowed
  const amendmentUrls = named.map(({ url }) => url)
  const reading = { allowRemoteRefs, allowRefsOutside, amendments, amendmentUrls }
  return { sources, reading }
}

async function check(source: DocumentSource, reading: ReadingOptions): Promise<Finding[]> {
  const { text } = source
  try {
    const { openRules } = await import('./transform/open-rules.ts')
    const { callbackFindings } = await import('./callbacks/callback-findings.ts')
    const { served, findings } = await readServed(source, reading)
    return [
      ...findings,
      ...emptiness(served, text),
      ...findMistakes(served),
      ...fakerFindings(served, true),
      ...callbackFindings(served),
      ...schemaFindings(served, text, true),
      ...(await openRules([], [served], undefined)).findings
    ].concat([...findInvalidExamples(served)])
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return [{ level: 'error', where: text, text: error.message }]
  }
}

function readServed(source: DocumentSource, reading: ReadingOptions) {
  const { url, name, text } = source
  const { amendments } = reading
  return withTrust(url, async (fetch) => {
    const options = {
      allowsRemote: reading.allowRemoteRefs,
      allowsOutside: reading.allowRefsOutside,
      amendments: reading.amendmentUrls,
      fetch
    }
    const { document, externals, findings } = await loadDocument(
      url,
      createReadText(url, options),
      async (document) =>
        amendments === undefined ? document : amendments.amend(source, document),
      createReadBytes(url, options)
    )
    return { served: serveApi(document, text, name, externals), findings }
  })
}

/** Findings about rules files, checked against all documents together. */
export async function checkTransforms(
  options: Named &
    Pick<MockOptions, 'transform' | 'upstream' | 'state' | 'seedData' | 'ignoreExamples'>
): Promise<CheckedDocument[]> {
  const { transform: files, upstream } = options
  if (files.length === 0) return []
  const document = files.join(', ')
  const { openRules } = await import('./transform/open-rules.ts')
  const { collectionFindings } = await import('./transform/collection-findings.ts')
  const { seedCollections } = await import('./state/seeded-collections.ts')
  try {
    const apis = await readAllServed(options)
    const { findings, book } = await openRules(files, apis, upstream !== undefined)
    const collections = options.state
      ? (await seedCollections(apis, options)).collections
      : undefined
    const empty = collectionFindings(book?.rules ?? [], collections)
    const own = [...findings, ...empty].filter(({ where }) =>
      files.some((file) => where.startsWith(`${file}#`))
    )
    return [{ document, findings: own }]
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return [{ document, findings: [{ level: 'error', where: document, text: error.message }] }]
  }
}

/** Loads the hooks module; its errors are findings. */
export async function checkHooks({
  hooks: path
}: Pick<MockOptions, 'hooks'>): Promise<CheckedDocument[]> {
  if (path === undefined) return []
  const { openHooks } = await import('./hooks/hook-runner.ts')
  try {
    await (await openHooks(path)).close()
    return [{ document: path, findings: [] }]
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return [{ document: path, findings: [{ level: 'error', where: path, text: error.message }] }]
  }
}

function emptiness({ api }: ServedApi, where: string): Finding[] {
  if (api.operations.length > 0) return []
  return [{ level: 'error', where, text: 'The documents have no operations' }]
}

/** Schemas that cannot be used as written; `compile` finds more errors and takes longer. */
export function schemaFindings(served: ServedApi, label: string, compile: boolean): Finding[] {
  const pointers = served.api.operations.flatMap(schemasOf)
  return served.schemas.checkAll(pointers, { compile }).map(({ pointer, message }) => ({
    level: 'error',
    where: `${label}${pointer}`,
    text: message
  }))
}

interface Reached {
  pointer: string
  side: Side
}

function schemasOf({ parameters, requestBody, responses }: Operation): Reached[] {
  const asked = [
    ...parameters.flatMap(({ schema, content }) => [schema, content?.schema]),
    ...contentSchemas(requestBody?.contents ?? [])
  ]
  const answered = responses.flatMap(({ contents, headers }) => [
    ...contentSchemas(contents),
    ...headers.flatMap(({ schema, content }) => [schema, content?.schema])
  ])
  return [...reached(asked, 'request'), ...reached(answered, 'response')]
}

function contentSchemas(contents: readonly MediaType[]): (string | undefined)[] {
  return contents.map(({ schema }) => schema)
}

function reached(schemas: readonly (string | undefined)[], side: Side): Reached[] {
  return schemas.flatMap((schema) =>
    schema === undefined ? [] : [{ pointer: `#${schema}`, side }]
  )
}
