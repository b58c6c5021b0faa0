import { StartFailure } from '../../kernel/failures.ts'
import { createOutbound } from '../../kernel/outbound.ts'
import type { Finding } from '../../kernel/service.ts'
import { loadDocument } from './document/load.ts'
import { createReadText } from './document/read-text.ts'
import type { MediaType, Operation } from './model/api.ts'
import { findInvalidExamples } from './response/own-examples.ts'
import { QUERY } from './routing/placement.ts'
import type { Side } from './schema/schemas.ts'
import type { ServedApi } from './served-api.ts'
import { serveApi } from './served-api.ts'
import { parseSource } from './source.ts'
import { openRules } from './transform/open-rules.ts'

/** All that is wrong with a document, every schema compiled; nothing is served. */
export async function checkDocument(text: string): Promise<Finding[]> {
  const { address, name } = parseSource(text)
  const allow = address.hostname === '' ? [] : [address.hostname]
  const outbound = createOutbound({ loopback: true, allow, own: () => [] })
  try {
    const readText = createReadText(address, { allowsRemote: false, fetch: outbound.fetch })
    const { document, findings } = await loadDocument(address, readText)
    const served = serveApi(document, text, name)
    return [
      ...findings,
      ...emptiness(served, text),
      ...pathFindings(served, text),
      ...schemaFindings(served, text, true),
      ...(await openRules([], [served], undefined)).findings
    ].concat([...findInvalidExamples(served)])
  } catch (error) {
    if (!(error instanceof StartFailure)) throw error
    return [{ level: 'error', where: text, text: error.message }]
  } finally {
    await outbound.close()
  }
}

/** All that is wrong with files of rules, held against these documents together. */
export async function checkTransforms(
  documents: readonly string[],
  files: readonly string[],
  hasUpstream: boolean
): Promise<Finding[]> {
  try {
    const apis = await Promise.all(documents.map(serveUnchecked))
    const { findings } = await openRules(files, apis, hasUpstream)
    return findings.filter(({ where }) => files.some((file) => where.startsWith(`${file}#`)))
  } catch (error) {
    if (!(error instanceof StartFailure)) throw error
    return [{ level: 'error', where: files.join(', '), text: error.message }]
  }
}

async function serveUnchecked(text: string): Promise<ServedApi> {
  const { address, name } = parseSource(text)
  const allow = address.hostname === '' ? [] : [address.hostname]
  const outbound = createOutbound({ loopback: true, allow, own: () => [] })
  try {
    const readText = createReadText(address, { allowsRemote: false, fetch: outbound.fetch })
    return serveApi((await loadDocument(address, readText)).document, text, name)
  } finally {
    await outbound.close()
  }
}

function emptiness({ api }: ServedApi, where: string): Finding[] {
  if (api.operations.length > 0) return []
  return [{ level: 'error', where, text: 'There is no operation to mock' }]
}

/** Paths that OpenAPI does not allow and that are served all the same, as far as that goes. */
export function pathFindings({ api }: ServedApi, label: string): Finding[] {
  return api.operations
    .filter(({ path }) => QUERY.test(path))
    .map(({ pointer }) => ({
      level: 'warning',
      where: `${label}#${pointer}`,
      text: 'A path has no query; what stands behind the question mark is not looked at'
    }))
}

/** Schemas that cannot be used as they stand; `compile` finds more and takes longer. */
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
