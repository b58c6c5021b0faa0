import { fileURLToPath } from 'node:url'
import { StartFailure } from '../../kernel/failures.ts'
import type { Kernel, Service } from '../../kernel/service.ts'
import { describeOperations } from './admin/operations.ts'
import { adminRoutes, isForAdmin } from './admin/routes.ts'
import { checkDocument } from './check.ts'
import type { Converted, ConvertOptions } from './convert.ts'
import { amendmentsOf } from './document/amend/amendment.ts'
import { openDocuments } from './documents.ts'
import { DEFAULT_OPTIONS, type EngineOptions, upstreamAt } from './engine/options.ts'
import { createInsight, type Insight } from './insight.ts'
import { openapi } from './openapi.ts'
import { type FailOn, isFailed } from './report/summary.ts'
import { checkReportName, writeReport } from './report/write.ts'
import { parseBasePath } from './routing/router.ts'
import { createListener } from './serve/listener.ts'
import { renderMalformed } from './serve/malformed.ts'
import { type MockOptions, settings } from './settings.ts'
import { parseSource } from './source.ts'
import { migrations } from './state/database-tables.ts'
import type { State } from './state/state.ts'

const SAMPLE = fileURLToPath(new URL('../../../data/mock/garden.yaml', import.meta.url))

export type { MockedOperation } from './admin/operations.ts'
export { type CheckedDocument, checkDocuments, checkTransforms } from './check.ts'
export type { Converted, ConvertOptions } from './convert.ts'
export type { Violation } from './coverage/coverage.ts'
export type { HookRequest, HookResponse, Hooks } from './hooks/hooks.ts'
export type { DescribedEntry } from './journal/describe-entry.ts'
export type { CoverageReport } from './report/json.ts'
export { findCollections } from './state/find-collections.ts'
export type { Insight, MockOptions }

/** Read from the disk when it is wanted: serving needs none of it. */
export async function convertDocument(options: ConvertOptions): Promise<Converted> {
  const { convertDocument: convert } = await import('./convert.ts')
  return convert(options)
}

/** I-8, the mock server: an API as its OpenAPI document describes it. */
export const mock: Service<typeof settings> = mockShownTo(() => undefined)

/** The same service; whoever embeds it is shown what happens in it. */
export function mockShownTo(show: (insight: Insight) => void): Service<typeof settings> {
  return {
    name: 'mock',
    label: 'I-8',
    summary: 'mocks the API of an OpenAPI document',
    worksWith: 'any API with an OpenAPI document',
    tryPath: '/__nonet/operations',
    settings,
    renderFailure: renderMalformed,
    openapi,
    tools: { check: checkDocument },
    migrations,
    needsTables: (options, ephemeral) => options.state && !ephemeral,
    async mount(app, kernel, options) {
      const isSample = options.documents.length === 0
      const failOn = readFailOn(options.failOn)
      if (options.report !== undefined) checkReportName(options.report)
      const engine = engineOptions(options)
      const state = await openStateFor(kernel, engine, options)
      const documents = await openDocuments(kernel, {
        sources: (isSample ? [SAMPLE] : options.documents).map(parseSource),
        amendments: amendmentsOf(options.overlay, options.patch),
        engine,
        state,
        allowsRemote: options.allowRemoteRefs,
        allowsCallbacks: options.allowCallbacks,
        reloads: options.reload && !(isSample && isPlain(options)),
        hasAdmin: options.admin,
        transforms: options.transform,
        hooks: options.hooks,
        tellsViolations: options.tellViolations
      })
      show(createInsight(documents))
      const admin = options.admin ? adminRoutes(app, kernel, documents, state) : undefined
      const listener = createListener(documents.engine)
      return {
        answerReady(request, response) {
          if (admin !== undefined && isForAdmin(request.url)) return false
          listener(request, response)
          return true
        },
        remark: isSample ? 'a sample until you name a document' : undefined,
        lines: (url) => [
          ...describeOperations(documents, url).map(
            (operation) => `${operation.method.padEnd(7)} ${operation.url}`
          ),
          ...(state?.lines() ?? [])
        ],
        exitCode: () => (isFailed(documents.coverage, failOn) ? 1 : 0),
        leave: () => admin?.leave(),
        async reset() {
          await state?.reset()
          documents.journal.clear()
          documents.coverage.reset()
        },
        async stop() {
          await documents.stop()
          if (options.report !== undefined)
            await writeReport(options.report, documents.coverage, failOn)
        }
      }
    }
  }
}

function isPlain({ overlay, patch, seedData, transform, hooks }: MockOptions): boolean {
  const files = overlay.length + patch.length + transform.length
  return files === 0 && seedData === undefined && hooks === undefined
}

/** What keeps nothing does not even read how. */
async function openStateFor(
  kernel: Kernel,
  engine: EngineOptions,
  { state, seedData }: MockOptions
): Promise<State | undefined> {
  if (!state) {
    if (seedData === undefined) return undefined
    throw new StartFailure('--seed-data is for collections that keep records: add --state')
  }
  const { openState } = await import('./state/state.ts')
  return openState(kernel, { engine, seedData })
}

function engineOptions(options: MockOptions): EngineOptions {
  const { upstream, upstreamProxy, fillProperties } = options
  return {
    ...DEFAULT_OPTIONS,
    errors: options.errors,
    dynamic: options.dynamic,
    seed: options.seed,
    ignoreExamples: options.ignoreExamples,
    fillProperties: fillProperties === undefined ? undefined : fillProperties === 'on',
    cors: options.cors,
    validateRequest: options.validateRequest,
    validateSecurity: options.validateSecurity,
    validateResponse: options.validateResponse,
    callbacks: options.callbacks,
    basePath: parseBasePath(options.basePath),
    upstream:
      upstream === undefined
        ? undefined
        : upstreamAt(readUpstream(upstream), { proxy: upstreamProxy })
  }
}

function readUpstream(text: string): URL {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new StartFailure(`The upstream ${text} is no http address`)
  }
  return url
}

function readFailOn(words: readonly string[]): FailOn[] {
  return words.map((word) => {
    if (word === 'violation' || word === 'uncovered') return word
    throw new StartFailure(`--fail-on takes violation and uncovered, not ${word}`)
  })
}
