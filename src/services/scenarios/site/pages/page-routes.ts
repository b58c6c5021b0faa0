import { randomBytes } from 'node:crypto'
import { SCRIPTED_PAGE_HEADERS } from '../../../../kernel/page.ts'
import {
  MethodNotAllowed,
  RecordNotFound,
  WORKSPACE_NAME,
  WorkspaceInvalid
} from '../../contract.ts'
import { type ApiResponse, empty } from '../../http/response.ts'
import type { SiteRoute } from '../site-route.ts'
import { renderDemo } from './demo.ts'
import { renderStart } from './start.ts'

const HEADERS = { ...SCRIPTED_PAGE_HEADERS, 'cache-control': 'no-store' }

function pageResponse(body: string): ApiResponse {
  return { status: 200, headers: HEADERS, body }
}

/** `/`: all scenarios, each with an example to try. */
export const startPage: SiteRoute = {
  async handle({ context, request, method, target }) {
    // A prefix without a path is unknown.
    if (target.path.replaceAll('/', '') !== '') throw new RecordNotFound()
    if (method !== 'GET') throw new MethodNotAllowed()
    const base = context.kernel.baseUrl(request)
    return pageResponse(renderStart(base, context.kernel.frame(base)))
  }
}

/** `/_demo` redirects to a new workspace: `/w/{workspace}/_demo`. */
export const demoPage: SiteRoute = {
  async handle({ context, request, method, target }) {
    if (target.segments.length > 1) throw new RecordNotFound()
    if (method !== 'GET') throw new MethodNotAllowed()
    if (target.workspace === undefined) {
      const location = `/w/demo-${randomBytes(5).toString('hex')}/_demo`
      return empty(303, { location, 'cache-control': 'no-store' })
    }
    if (!WORKSPACE_NAME.test(target.workspace)) throw new WorkspaceInvalid()
    const frame = context.kernel.frame(context.kernel.baseUrl(request))
    return pageResponse(renderDemo(target.workspace, frame))
  }
}
