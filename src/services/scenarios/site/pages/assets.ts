import { browserModulesIn } from '../../../../kernel/browser-modules.ts'
import { MethodNotAllowed, RecordNotFound } from '../../contract.ts'
import type { ApiResponse } from '../../http/response.ts'
import type { SiteRoute } from '../site-route.ts'

const FILE = /^([\w-]+)\.(ts|js)$/

const modules = browserModulesIn(new URL('./browser/', import.meta.url))

/** `/_assets/{name}.js`: scripts of the pages of this service. */
export const assets: SiteRoute = {
  async handle({ target, method, request }): Promise<ApiResponse> {
    const [, file = '', ...rest] = target.segments
    const name = rest.length === 0 ? FILE.exec(file)?.[1] : undefined
    const found = modules.respond(name ?? '', request.headers['if-none-match'])
    if (found === undefined) throw new RecordNotFound()
    if (method !== 'GET') throw new MethodNotAllowed()
    return found
  }
}
