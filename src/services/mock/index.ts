import type { Service } from '../../kernel/service.ts'
import type { CheckedDocument } from './check.ts'
import type { Converted, ConvertOptions } from './convert.ts'
import type { Insight } from './insight.ts'
import { renderMalformed } from './serve/malformed.ts'
import { type MockOptions, settings } from './settings.ts'
import { migrations } from './state/database-tables.ts'

export type { CheckedDocument } from './check.ts'
export type { Converted, ConvertOptions } from './convert.ts'
export type { Violation } from './coverage/coverage.ts'
export type { HookRequest, HookResponse, Hooks } from './hooks/hooks.ts'
export type { DescribedEntry } from './journal/describe-entry.ts'
export type { MockedOperation } from './mocked-operation.ts'
export type { CoverageReport } from './report/json.ts'
export type { Insight, MockOptions }

/** Loads the converter on demand, because serving does not need it. */
export async function convertDocument(options: ConvertOptions): Promise<Converted> {
  const { convertDocument: convert } = await import('./convert.ts')
  return convert(options)
}

export async function checkDocuments(options: MockOptions): Promise<CheckedDocument[]> {
  const { checkDocuments: check } = await import('./check.ts')
  return check(options)
}

export async function checkHooks(options: MockOptions): Promise<CheckedDocument[]> {
  const { checkHooks: check } = await import('./check.ts')
  return check(options)
}

export async function checkTransforms(options: MockOptions): Promise<CheckedDocument[]> {
  const { checkTransforms: check } = await import('./check.ts')
  return check(options)
}

export async function findCollections(options: MockOptions): Promise<string[]> {
  const { findCollections: find } = await import('./state/find-collections.ts')
  return find(options)
}

/** I-8, the mock server: serves the API that an OpenAPI document describes. */
export const mock: Service<typeof settings> = createMockService(undefined)

/** The service for programs that embed it: on mount, `show` receives access to its data. */
export function createMockService(
  show: ((insight: Insight) => void) | undefined
): Service<typeof settings> {
  return {
    name: 'mock',
    label: 'I-8',
    summary: 'mocks the API of an OpenAPI document',
    compatibleWith: 'any API with an OpenAPI document',
    example: { method: 'GET', path: '/__nonet/operations' },
    pagePath: '/__nonet/',
    hasSignIn: 'outside',
    settings,
    renderError: renderMalformed,
    async openapi(baseUrl) {
      const { openapi } = await import('./openapi.ts')
      return openapi(baseUrl)
    },
    tools: {
      async check(folder) {
        const { checkDocument } = await import('./check.ts')
        return checkDocument(folder)
      }
    },
    migrations,
    needsDatabase: (options, ephemeral) => options.state && !ephemeral,
    async mount(kernel, options) {
      const { mountMock } = await import('./mount.ts')
      return mountMock(kernel, options, show)
    }
  }
}
