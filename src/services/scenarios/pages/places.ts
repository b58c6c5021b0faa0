import { randomBytes } from 'node:crypto'
import { SCRIPTED_PAGE_HEADERS } from '../../../kernel/page.ts'
import { type Answer, empty } from '../answer.ts'
import { MethodNotAllowed, RecordNotFound, WORKSPACE_NAME, WorkspaceInvalid } from '../contract.ts'
import type { Place } from '../site-route.ts'
import { renderDemo } from './demo.ts'
import { renderStart } from './start.ts'

const HEADERS = { ...SCRIPTED_PAGE_HEADERS, 'cache-control': 'no-store' }

function pageAnswer(body: string): Answer {
  return { status: 200, headers: HEADERS, body }
}

/** `/`: the catalogue, with something to try for each scenario. */
export const startPage: Place = {
  async answer({ room, request, method, visit }) {
    // A prefix before nothing is no address of ours.
    if (visit.path.replaceAll('/', '') !== '') throw new RecordNotFound()
    if (method !== 'GET') throw new MethodNotAllowed()
    return pageAnswer(renderStart(room.kernel.baseUrl(request)))
  }
}

/** `/_demo` gives everybody a workspace of their own: `/w/{workspace}/_demo`. */
export const demoPage: Place = {
  async answer({ method, visit }) {
    if (visit.segments.length > 1) throw new RecordNotFound()
    if (method !== 'GET') throw new MethodNotAllowed()
    if (visit.workspace === undefined) {
      const location = `/w/demo-${randomBytes(5).toString('hex')}/_demo`
      return empty(303, { location, 'cache-control': 'no-store' })
    }
    if (!WORKSPACE_NAME.test(visit.workspace)) throw new WorkspaceInvalid()
    return pageAnswer(renderDemo(visit.workspace))
  }
}
