import { pathToFileURL } from 'node:url'
import { UserError } from '../../kernel/errors.ts'
import { createOutbound, type Outbound } from '../../kernel/outbound.ts'
import type { Finding, Kernel } from '../../kernel/service.ts'
import { reservedFindings } from './admin/reserved.ts'
import { findMistakes } from './author-mistakes.ts'
import type { CallbackEvent } from './callbacks/callback-event.ts'
import { schemaFindings } from './check.ts'
import { type Coverage, createCoverage } from './coverage/coverage.ts'
import type { Amendment } from './document/amend/amendment.ts'
import { type Amend, loadDocument } from './document/load.ts'
import { readAmendments, withTrust } from './document/read-amendments.ts'
import { createReadBytes, createReadText } from './document/read-text.ts'
import { hasEmbeddedRules } from './embedded-rules.ts'
import { createEngine, type Engine } from './engine/engine.ts'
import type { Exchange } from './engine/exchange.ts'
import type { Hold } from './engine/hold.ts'
import type { EngineOptions } from './engine/options.ts'
import { checkExamples } from './example-check.ts'
import { FAKER_KEYWORD, fakerFindings } from './faker-findings.ts'
import { describeFailure } from './hooks/describe-failure.ts'
import type { HookRunner } from './hooks/hook-runner.ts'
import { createJournal, type Journal } from './journal/journal.ts'
import { createMask, type Mask } from './journal/mask.ts'
import { isUncounted } from './journal/uncounted.ts'
import type { Operation } from './model/api.ts'
import { rememberRemote } from './remember-remote.ts'
import { type MountedOperation, mountOperations } from './routing/mounted-operations.ts'
import { type ServedApi, serveApi } from './served-api.ts'
import type { DocumentSource } from './source.ts'
import type { PreparedState, State } from './state/state.ts'
import { collectionFindings } from './transform/collection-findings.ts'
import type { OpenedRules } from './transform/open-rules.ts'
import type { RuleBook } from './transform/rule-book.ts'
import { createWatch, type Watch } from './watch.ts'
import type { RemoteFile, RemoteWatch } from './watch-remote.ts'

const EVERYWHERE = ['0.0.0.0/0', '::/0']

export interface DocumentsOptions {
  sources: readonly DocumentSource[]
  amendments: readonly Amendment[]
  engine: EngineOptions
  allowsRemote: boolean
  /** Whether references may leave the folder of a document and the working folder. */
  allowsOutside: boolean
  allowsCallbacks: boolean
  reloads: boolean
  /** Whether the admin pages under `/__nonet/` and the journal are enabled. */
  hasAdmin: boolean
  /** Paths of rules files. */
  transforms: readonly string[]
  /** Path of the hooks module. */
  hooks: string | undefined
  /** Logs one line for each violation besides the line for the request. */
  tellsViolations: boolean
  /** Counts requests that are delayed. */
  hold: Hold
  /** Store of the collections; undefined without `--state`. */
  state?: State | undefined
}

/** Time of the last successful load, number of reloads, and error of the latest attempt. */
export interface ReloadState {
  loadedAt: Date
  reloads: number
  /** Reason why the latest version is not served; undefined if it is served. */
  failure: string | undefined
}

/** The documents that are currently served, with their coverage and journal. */
export interface Documents {
  engine: () => Engine
  apis: () => readonly ServedApi[]
  findings: () => readonly Finding[]
  /** Base path under which an operation is served; the first one if there are several. */
  prefixOf: (operation: Operation) => string
  coverage: Coverage
  journal: Journal
  mask: Mask
  /** HTTP client of callbacks and webhooks. */
  outbound: Outbound
  state: () => ReloadState
  /** Whether changed files are reloaded automatically. */
  watched: boolean
  stop: () => Promise<void>
}

interface Opened {
  apis: readonly ServedApi[]
  files: readonly string[]
  /** Documents and parts of documents that were read from URLs. */
  remote: readonly RemoteFile[]
  unreadable: readonly string[]
  missingExamples: readonly string[]
  findings: Finding[]
  mountedOperations: readonly MountedOperation<ServedApi>[]
  prefixes: ReadonlyMap<Operation, string>
  rules: RuleBook | undefined
  hooks: HookRunner | undefined
}

interface Usable {
  opened: Opened
  prepared: PreparedState | undefined
}

export async function openDocuments(kernel: Kernel, options: DocumentsOptions): Promise<Documents> {
  const coverage = createCoverage()
  const journal = createJournal()
  const mask = createMask()
  const outbound = options.allowsCallbacks
    ? createOutbound({ loopback: true, allow: EVERYWHERE })
    : kernel.outbound
  let { opened, prepared } = await openUsable()
  let engine = await engineFor(opened, prepared)
  const state: ReloadState = { loadedAt: kernel.now(), reloads: 0, failure: undefined }
  observe(opened)
  let stopCheck = tellFindings(opened)
  let reloading = Promise.resolve()
  const watch: Watch | undefined = options.reloads
    ? createWatch(reloadInTurn, reportDefect)
    : undefined
  await watch?.follow(filesOf(opened, prepared))
  const remoteWatch = await watchRemote()

  /** Without documents of URLs, the module is not loaded. */
  async function watchRemote(): Promise<RemoteWatch | undefined> {
    if (!options.reloads || opened.remote.length === 0) return undefined
    const { createRemoteWatch } = await import('./watch-remote.ts')
    const created = createRemoteWatch(reloadInTurn, reportDefect)
    created.follow(opened.remote)
    return created
  }

  /** Files and URLs may change at the same time. */
  function reloadInTurn(): Promise<void> {
    const next = reloading.then(reload)
    reloading = next.catch(() => {})
    return next
  }

  /** Opens and validates the sources. If they are rejected, the thread of their hooks is ended. */
  async function openUsable(before?: Opened): Promise<Usable> {
    const next = await openSources(options, kernel)
    try {
      rejectEmpty(next)
      if (before !== undefined) rejectLoss(before, next)
      const prepared = await options.state?.prepare(next.apis)
      next.findings.push(...collectionFindings(next.rules?.rules ?? [], prepared?.collections))
      return { opened: next, prepared }
    } catch (error) {
      await next.hooks?.close()
      throw error
    }
  }

  function engineFor(
    { apis, rules, hooks }: Opened,
    ready: PreparedState | undefined
  ): Promise<Engine> {
    return createEngine(apis, options.engine, {
      outbound,
      hold: options.hold,
      rules,
      hooks,
      state: ready && options.state?.follow(ready),
      readState: options.state?.readState,
      calledBack: tellRefused,
      defect: reportDefect,
      finished
    })
  }

  function reportDefect(error: unknown): void {
    kernel.warn(`unexpected error: ${error instanceof Error ? error.stack : error}`)
  }

  function tellFindings({ apis, mountedOperations, findings }: Opened): () => void {
    if (options.hasAdmin) findings.push(...reservedFindings(mountedOperations))
    for (const finding of findings) tellFinding(finding)
    return checkExamples(apis, (finding) => {
      findings.push(finding)
      tellFinding(finding)
    })
  }

  function tellFinding(finding: Finding): void {
    const text = describeFinding(finding)
    if (finding.level === 'error') kernel.warn(text)
    else kernel.inform(text)
  }

  /** Without the URL, which clients choose and which may contain personal data. */
  function tellRefused({ operation, refused, failure }: CallbackEvent): void {
    if (refused)
      kernel.warn(`callback of ${operation.method} ${operation.path} not sent: ${failure}`)
  }

  function observe(now: Opened): void {
    coverage.follow(now.apis)
    mask.follow(operationsOf(now))
  }

  function finished(exchange: Exchange): void {
    if (isUncounted(exchange, options.hasAdmin && options.engine.upstream === undefined)) return
    // The coverage notes the number of the entry.
    if (options.hasAdmin) journal.record(exchange)
    coverage.record(exchange)
    if (exchange.problem?.code === 'HOOK_FAILED') tellHookFailure(exchange)
    if (!options.tellsViolations) return
    for (const { location, message } of exchange.diagnostics) {
      kernel.warn(`Violation: ${location.join('.')} ${message}`)
    }
  }

  /** Without the query, which may contain personal data. */
  function tellHookFailure({ problem, arrived }: Exchange): void {
    const { method, path } = arrived
    const failure = describeFailure(problem?.message ?? '', problem?.cause)
    kernel.warn(`${method} ${path}: ${failure}`)
  }

  /** If the new version has an error, the error is reported and the old version stays in use. */
  async function reload(): Promise<void> {
    try {
      const usable = await openUsable(opened)
      const { opened: next } = usable
      prepared = usable.prepared
      const before = { engine, hooks: opened.hooks }
      engine = await engineFor(next, prepared)
      opened = next
      state.loadedAt = kernel.now()
      state.reloads++
      state.failure = undefined
      observe(next)
      kernel.inform(`reloaded: ${operationsOf(next).length} operations`)
      stopCheck()
      stopCheck = tellFindings(next)
      await watch?.follow(filesOf(next, prepared))
      remoteWatch?.follow(next.remote)
      await before.engine.close()
      await before.hooks?.close()
    } catch (error) {
      state.failure = error instanceof UserError ? error.message : 'Internal error; see the log'
      if (!(error instanceof UserError)) throw error
      kernel.warn(`${error.message}; the last good document is still served`)
    }
  }

  return {
    engine: () => engine,
    apis: () => opened.apis,
    findings: () => opened.findings,
    prefixOf: (operation) => opened.prefixes.get(operation) ?? '',
    coverage,
    journal,
    mask,
    outbound,
    state: () => state,
    watched: options.reloads,
    async stop() {
      watch?.stop()
      remoteWatch?.stop()
      stopCheck()
      await engine.idle()
      await engine.close()
      await opened.hooks?.close()
      if (outbound !== kernel.outbound) await outbound.close()
    }
  }
}

async function openSources(options: DocumentsOptions, { outbound, warn }: Kernel): Promise<Opened> {
  const amendments = await readAmendments(options.amendments, options.sources)
  const reading = {
    allowsRemote: options.allowsRemote,
    allowsOutside: options.allowsOutside,
    amendments: options.amendments.map(({ url }) => url)
  }
  const all = await Promise.all(
    options.sources.map(async (source) => {
      const { url, name, text } = source
      const amend: Amend = async (document) => amendments?.amend(source, document) ?? document
      const remote: RemoteFile[] = []
      let mayHaveWishes = amendments !== undefined
      const load = (fetch: Outbound['fetch']) => {
        const from = { ...reading, fetch }
        const read = rememberRemote(createReadText(url, from), remote, again)
        const readText = async (part: URL) => {
          const content = await read(part)
          mayHaveWishes ||= content.includes(FAKER_KEYWORD)
          return content
        }
        return loadDocument(url, readText, amend, createReadBytes(url, from))
      }
      const again = (part: URL) =>
        withTrust(url, (fetch) => createReadText(url, { ...reading, fetch })(part))
      const loaded = await (url.protocol === 'file:' ? load(outbound.fetch) : withTrust(url, load))
      const served = serveApi(loaded.document, text, name, loaded.externals)
      return { served, loaded, remote, mayHaveWishes }
    })
  )
  const apis = all.map(({ served }) => served)
  const mountedOperations = mountOperations(apis, options.engine.basePath)
  const rules = await openRulesOf(apis, options)
  const hooks = await openHooksAt(options.hooks, warn)
  return {
    apis,
    mountedOperations,
    // The last entry of a key wins in a Map, so reversing keeps the first base path.
    prefixes: new Map(
      mountedOperations.map((one): [Operation, string] => [one.operation, one.basePath]).reverse()
    ),
    rules: rules.book,
    hooks,
    files: [
      ...(amendments?.files ?? []),
      ...all.flatMap(({ loaded }) => loaded.files),
      ...rules.files,
      ...(options.hooks === undefined ? [] : [pathToFileURL(options.hooks).href])
    ],
    remote: all.flatMap(({ remote }) => remote),
    unreadable: all.flatMap(({ loaded }) => loaded.unreadable),
    missingExamples: all.flatMap(({ loaded }) => loaded.missingExamples),
    findings: [
      ...(amendments?.findings() ?? []),
      ...all.flatMap(({ served, loaded, mayHaveWishes }) => [
        ...loaded.findings,
        ...findMistakes(served),
        ...fakerFindings(served, mayHaveWishes),
        ...schemaFindings(served, served.label, false)
      ]),
      ...rules.findings
    ]
  }
}

const NO_RULES: OpenedRules = { book: undefined, files: [], findings: [] }

/** Without rules, the transform modules are not loaded. */
async function openRulesOf(
  apis: readonly ServedApi[],
  { transforms, engine }: DocumentsOptions
): Promise<OpenedRules> {
  if (transforms.length === 0 && !apis.some(hasEmbeddedRules)) return NO_RULES
  const { openRules, rejectBroken } = await import('./transform/open-rules.ts')
  const rules = await openRules(transforms, apis, engine.upstream !== undefined)
  rejectBroken(rules.findings)
  return rules
}

async function openHooksAt(
  path: string | undefined,
  warn: (text: string) => void
): Promise<HookRunner | undefined> {
  if (path === undefined) return undefined
  const { openHooks } = await import('./hooks/hook-runner.ts')
  return openHooks(path, undefined, warn)
}

function filesOf({ files }: Opened, prepared: PreparedState | undefined): string[] {
  return [...files, ...(prepared?.files ?? [])]
}

function operationsOf({ apis }: Opened): Operation[] {
  return apis.flatMap(({ api }) => api.operations)
}

function rejectEmpty(opened: Opened): void {
  if (operationsOf(opened).length === 0) {
    throw new UserError('No operation to mock: the documents have no paths with methods')
  }
}

/**
 * A reference that cannot be read is a warning at startup but an error on reload; one in an example
 * only if it could be read before.
 */
function rejectLoss(before: Opened, next: Opened): void {
  const lost =
    next.unreadable.find((file) => !before.unreadable.includes(file)) ??
    next.missingExamples.find(
      (file) => before.files.includes(file) && !before.missingExamples.includes(file)
    )
  if (lost === undefined) return
  const found = next.findings.find(({ where }) => lost.endsWith(encodeURI(where)))
  throw new UserError(found?.text ?? `${lost} cannot be read`)
}

export function describeFinding({ level, where, text }: Finding): string {
  return `${level}: ${where}: ${text}`
}
