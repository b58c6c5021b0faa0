import { browserModulesIn } from '../../../kernel/browser-modules.ts'
import type { Answer } from '../answer.ts'
import { MethodNotAllowed, RecordNotFound } from '../contract.ts'
import type { Place } from '../site-route.ts'

const FILE = /^([\w-]+)\.(ts|js)$/

const modules = browserModulesIn(new URL('./browser/', import.meta.url))

/** `/_assets/{name}.js`: what the pages of this service bring along. */
export const assets: Place = {
  async answer({ visit, method, request }): Promise<Answer> {
    const [, file = '', ...rest] = visit.segments
    const name = rest.length === 0 ? FILE.exec(file)?.[1] : undefined
    const found = modules.respond(name ?? '', request.headers['if-none-match'])
    if (found === undefined) throw new RecordNotFound()
    if (method !== 'GET') throw new MethodNotAllowed()
    return found
  }
}
