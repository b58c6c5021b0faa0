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

/** Settings of the service, in the spelling of `nonet.config.json`. */
export type MockInTestOptions = Partial<Omit<MockOptions, 'documents'>> & {
  /** Any free one unless told. */
  port?: number
  host?: string
}

/** A mocked API inside a test: `await using api = await mock('openapi.yaml')`. */
export interface MockedApi extends AsyncDisposable {
  readonly url: string
  /** What can be called, each with an address to try. */
  readonly operations: readonly MockedOperation[]
  /** What was wrong so far, requests that met no operation included; warnings too. */
  readonly violations: () => readonly Violation[]
  /** What was called so far, as `--report` writes it. */
  readonly coverage: () => CoverageReport
  /** What was asked and answered, the latest first; credentials are masked, long bodies cut. */
  readonly journal: () => readonly DescribedEntry[]
  /** Forgets what was asked, called and wrong. */
  readonly reset: () => void
  readonly stop: () => Promise<void>
}

/**
 * Serves files, addresses, or `name=file`, on a free port of this machine, and prints nothing.
 * Changed documents are read again only with `reload: true`.
 */
export async function mock(
  documents: string | URL | readonly (string | URL)[],
  { port = 0, host: address = '127.0.0.1', ...settings }: MockInTestOptions = {}
): Promise<MockedApi> {
  const configuration = configure(
    { ephemeral: true, quiet: true, console: false, 'mock.reload': false },
    { host: [address], port: [`mock=${port}`] },
    fromObject({ mock: settings }, 'the options of mock()')
  )
  const shown: Insight[] = []
  const host = await openHost(
    {
      ...withFiles(configuration, { documents: [documents].flat().map(nameOf) }),
      services: [createMockService((insight) => shown.push(insight))]
    },
    {
      requestLog: undefined,
      warn: (text) => process.emitWarning(text, 'nonet'),
      onUnexpectedError: (service, error) =>
        process.emitWarning(`${service}: ${error.stack}`, 'nonet')
    }
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
