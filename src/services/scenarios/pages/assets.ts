import { type BrowserModule, loadBrowserModules } from '../../../kernel/browser-modules.ts'
import { matchesEtag } from '../../../kernel/etag.ts'
import type { Answer } from '../answer.ts'
import { MethodNotAllowed, RecordNotFound } from '../contract.ts'
import type { Place } from '../site-route.ts'

const FILE = /^([\w-]+)\.(ts|js)$/

let modules: ReadonlyMap<string, BrowserModule> | undefined

/** `/_assets/{name}.js`: what the pages of this service bring along. */
export const assets: Place = {
  async answer({ visit, method, request }): Promise<Answer> {
    const [, file = '', ...rest] = visit.segments
    modules ??= loadBrowserModules(new URL('./browser/', import.meta.url))
    const found = rest.length === 0 ? modules.get(FILE.exec(file)?.[1] ?? '') : undefined
    if (found === undefined) throw new RecordNotFound()
    if (method !== 'GET') throw new MethodNotAllowed()
    const { etag, headers, body } = found
    if (matchesEtag(request.headers['if-none-match'], etag)) return { status: 304, headers }
    return { status: 200, headers, body }
  }
}
