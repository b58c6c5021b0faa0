import { fileURLToPath } from 'node:url'
import { UserError } from '../../kernel/errors.ts'
import { createHeldRequests } from '../../kernel/held-requests.ts'
import { ADMIN_ACCOUNT, createAdminSessions } from '../../kernel/page-session.ts'
import type { Kernel, Mounted } from '../../kernel/service.ts'
import { isForAdmin } from './admin/reserved.ts'
import type { Admin } from './admin/routes.ts'
import { amendmentsOf } from './document/amend/amendment.ts'
import { openDocuments } from './documents.ts'
import type { Hold } from './engine/hold.ts'
import { DEFAULT_OPTIONS, type EngineOptions, upstreamAt } from './engine/options.ts'
import type { Insight } from './insight.ts'
import { describeOperations, findExample } from './mocked-operation.ts'
import { type FailOn, reasonToFail } from './report/summary.ts'
import type { WriteReport } from './report/write.ts'
import { parseBasePath } from './routing/router.ts'
import { createHanging } from './serve/hanging.ts'
import { createListener } from './serve/listener.ts'
import { createProblemPages } from './serve/problem-pages.ts'
import type { MockOptions } from './settings.ts'
import { parseSource } from './source.ts'
import { requireStateForSeed } from './state/idle-seed.ts'
import type { State } from './state/state.ts'

/** Maximum number of requests that are delayed at the same time. */
const MAX_HELD = 1000

const SAMPLE = fileURLToPath(new URL('../../../data/mock/garden.yaml', import.meta.url))

/** `show` receives access to the data of the service. */
export async function mountMock(
  kernel: Kernel,
  options: MockOptions,
  show: ((insight: Insight) => void) | undefined
): Promise<Mounted> {
  const isSample = options.documents.length === 0
  const failOn = readFailOn(options.failOn)
  const reports = await openReports(options.report)
  const engine = engineOptions(options)
  const state = await openStateFor(kernel, engine, options)
  const held = createHeldRequests(MAX_HELD, kernel.held)
  const hold: Hold = (request) => held.hold(kernel.clientIp(request))
  const documents = await openDocuments(kernel, {
    sources: (isSample ? [SAMPLE] : options.documents).map(parseSource),
    amendments: amendmentsOf(options.overlay, options.patch),
    engine,
    hold,
    state,
    allowsRemote: options.allowRemoteRefs,
    allowsOutside: options.allowRefsOutside,
    allowsCallbacks: options.allowCallbacks,
    reloads: options.reload && !(isSample && isPlain(options)),
    hasAdmin: options.admin,
    transforms: options.transform,
    hooks: options.hooks,
    tellsViolations: options.tellViolations
  })
  if (show !== undefined) {
    const { createInsight } = await import('./insight.ts')
    show(createInsight(documents))
  }
  // An upstream has error pages of its own, and without the admin pages there is no way to lead.
  const hasPages = options.admin && engine.upstream === undefined
  const pageFor = hasPages ? createProblemPages(kernel.presentError) : undefined
  const hanging = createHanging()
  const listener = createListener(documents.engine, { hanging, pageFor })
  let admin: Admin | undefined
  let isLeaving = false
  const sessions = createAdminSessions('mock', kernel)
  return {
    lazyRoutes: true,
    fastPath(request, response) {
      if (options.admin && isForAdmin(request.url)) return false
      listener(request, response)
      return true
    },
    async routes(app) {
      const { adminRoutes } = await import('./admin/routes.ts')
      admin = adminRoutes(app, kernel, documents, { sessions, state })
      if (isLeaving) admin.leave()
    },
    hasPage: options.admin,
    example: () => findExample(documents),
    ...(options.admin && {
      createSignInLink: (url: string) => sessions.createLink(url, ADMIN_ACCOUNT)
    }),
    startupNote: isSample ? 'a sample until you set a document' : undefined,
    startupLines: (url) => [
      ...describeOperations(documents, url).map(
        (operation) => `${operation.method.padEnd(7)} ${operation.url}`
      ),
      ...(state?.lines() ?? [])
    ],
    exitCode: () => (reasonToFail(documents.coverage, failOn) === undefined ? 0 : 1),
    closeStreams() {
      isLeaving = true
      documents.engine().endDelays()
      hanging.close()
      admin?.leave()
    },
    async reset() {
      await state?.reset()
      documents.journal.clear()
      documents.coverage.reset()
    },
    async stop() {
      await documents.stop()
      for (const write of reports) await write(documents.coverage, failOn)
      const reason = reasonToFail(documents.coverage, failOn)
      if (reason !== undefined) kernel.warn(`failed: ${reason} (--fail-on)`)
    }
  }
}

function isPlain({ overlay, patch, seedData, transform, hooks }: MockOptions): boolean {
  const files = overlay.length + patch.length + transform.length
  return files === 0 && seedData === undefined && hooks === undefined
}

/** Opens the reports at startup, so that an unknown format is an error before a long run. */
async function openReports(files: readonly string[]): Promise<WriteReport[]> {
  if (files.length === 0) return []
  const { createReport } = await import('./report/write.ts')
  return files.map(createReport)
}

/** Without state, the state module is not loaded. */
async function openStateFor(
  kernel: Kernel,
  engine: EngineOptions,
  options: MockOptions
): Promise<State | undefined> {
  requireStateForSeed(options)
  if (!options.state) return undefined
  const { openState } = await import('./state/state.ts')
  return openState(kernel, { engine, seedData: options.seedData })
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
    cacheBytes: options.cacheBytes,
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
    throw new UserError(`The upstream ${text} is not an http or https URL`)
  }
  return url
}

function readFailOn(words: readonly string[]): FailOn[] {
  return words.map((word) => {
    if (word === 'violation' || word === 'uncovered') return word
    throw new UserError(`--fail-on must be violation or uncovered, not ${word}`)
  })
}
