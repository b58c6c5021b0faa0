import { fileURLToPath } from 'node:url'
import {
  type CoverageReport,
  createMockService,
  type DescribedEntry,
  type HookRequest,
  type HookResponse,
  type Hooks,
  type Insight,
  type MockedOperation,
  type MockOptions,
  type Violation
} from '../services/mock/index.ts'
import { openHost } from './host.ts'
import { withFiles } from './mock-files.ts'
import { configure, fromObject } from './mock-tools.ts'

export type {
  CoverageReport,
  DescribedEntry,
  HookRequest,
  HookResponse,
  Hooks,
  MockedOperation,
  Violation
}

/** The clients are tests, which await their requests before they stop the mock. */
const IDLE_GRACE_MS = 5

/** Settings of the service, in the spelling of `nonet.config.json`. */
export type MockInTestOptions = Partial<Omit<MockOptions, 'documents' | 'report'>> & {
  /** One file or several: .json, .xml (JUnit) or .html. */
  report?: string | readonly string[]
  /** Any free port by default. */
  port?: number
  host?: string
}

/** A mocked API inside a test: `await using api = await mock('openapi.yaml')`. */
export interface MockedApi extends AsyncDisposable {
  readonly url: string
  /** Operations of the documents, each with a URL to try. */
  readonly operations: readonly MockedOperation[]
  /** Violations so far, including warnings and requests that match no operation. */
  readonly violations: () => readonly Violation[]
  /** Coverage so far, as in the report of `--report`. */
  readonly coverage: () => CoverageReport
  /** Requests and responses, latest first; credentials are masked and long bodies truncated. */
  readonly journal: () => readonly DescribedEntry[]
  /** Clears journal, coverage and violations. */
  readonly reset: () => void
  readonly stop: () => Promise<void>
}

/**
 * Serves documents, given as files, URLs or `name=file`, on a free port of this machine, without
 * output. Changed documents are reloaded only with `reload: true`.
 */
export async function mock(
  documents: string | URL | readonly (string | URL)[],
  { port = 0, host: address = '127.0.0.1', report, ...settings }: MockInTestOptions = {}
): Promise<MockedApi> {
  const configuration = configure(
    { ephemeral: true, quiet: true, console: false, 'mock.reload': false },
    { host: [address], port: [`mock=${port}`] },
    fromObject({ mock: settings }, 'the options of mock()')
  )
  const shown: Insight[] = []
  const host = await openHost(
    {
      ...withFiles(configuration, {
        documents: [documents].flat().map(nameOf),
        report: report === undefined ? undefined : [report].flat()
      }),
      services: [createMockService((insight) => shown.push(insight))]
    },
    {
      requestLog: undefined,
      warn: (text) => process.emitWarning(text, 'nonet'),
      onUnexpectedError: (service, error) =>
        process.emitWarning(`${service}: ${error.stack}`, 'nonet')
    },
    { idleGraceMs: IDLE_GRACE_MS }
  )
  const [hosted] = host.services
  const [insight] = shown
  if (hosted === undefined || insight === undefined) throw new Error('nothing was mounted')
  return {
    url: hosted.url,
    get operations() {
      return insight.operations(hosted.url)
    },
    violations: insight.violations,
    coverage: insight.coverage,
    journal: insight.journal,
    reset: insight.reset,
    stop: host.stop,
    [Symbol.asyncDispose]: host.stop
  }
}

function nameOf(document: string | URL): string {
  if (typeof document === 'string') return document
  return document.protocol === 'file:' ? fileURLToPath(document) : document.href
}
