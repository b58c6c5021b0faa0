import { checkSender } from '../../../../kernel/admin-guard.ts'
import { isCrossSite } from '../../../../kernel/cross-site.ts'
import { actionWithKey } from '../../../../kernel/form-token.ts'
import { headersOf, renderPage } from '../../../../kernel/page.ts'
import {
  MethodNotAllowed,
  PupilNameInvalid,
  PupilUnknown,
  RecordNotFound,
  WorkspaceNotCreated
} from '../../contract.ts'
import { readBytes, readFields } from '../../http/body.ts'
import { type ApiResponse, empty } from '../../http/response.ts'
import { ENDED_PUPIL_COOKIE, pupilCookie } from '../../workspace/pupil-cookie.ts'
import { readPupilName } from '../../workspace/pupil-name.ts'
import type { Pupil } from '../../workspace/pupils.ts'
import type { SiteRequest, SiteRoute } from '../site-route.ts'

const ORIGIN_MESSAGE = 'A name can only be changed by the page of the demo application'
const NO_STORE = { 'cache-control': 'no-store' }
const SECOND_MS = 1000
const MAX_FORM_BYTES = 10_000

type Change = (call: SiteRequest, pupil: Pupil) => Promise<ApiResponse>

const CHANGES: ReadonlyMap<string, Change> = new Map<string, Change>([
  ['name', rename],
  ['leave', async () => ({ ...seeOther('/_demo'), cookies: [ENDED_PUPIL_COOKIE] })]
])

/**
 * `/_demo` leads a browser to its workspace, which is created at the first time:
 * `/w/{workspace}/_demo` is the application there. `/_demo/name` and `/_demo/leave` are for the
 * browser with the cookie, whatever the page they are sent from.
 */
export const demoPage: SiteRoute = {
  async handle(call) {
    const { method, target } = call
    const [, action, ...rest] = target.segments
    if (rest.length > 0) throw new RecordNotFound()
    if (action !== undefined) return handleChange(call, action)
    if (method !== 'GET') throw new MethodNotAllowed()
    return target.workspace === undefined ? lead(call) : show(call, target.workspace)
  }
}

function seeOther(location: string): ApiResponse {
  return empty(303, { location, ...NO_STORE })
}

const demoPath = ({ workspace }: Pupil) => `/w/${workspace.id}/_demo`

async function lead({ context, request }: SiteRequest): Promise<ApiResponse> {
  const found = await context.pupils.find(request)
  if (found === undefined && !mayJoin(request)) throw new WorkspaceNotCreated()
  const pupil = found ?? (await context.pupils.join())
  const isSecure = context.kernel.baseUrl(request).startsWith('https:')
  const seconds = Math.floor(pupil.workspace.row.lifetime / SECOND_MS)
  return { ...seeOther(demoPath(pupil)), cookies: [pupilCookie(pupil.secret, seconds, isSecure)] }
}

/** An image or a frame in a page of another site creates no workspace; a link that is followed does. */
function mayJoin({ method, headers }: SiteRequest['request']): boolean {
  if (method === 'HEAD') return false
  return !isCrossSite(headers) || headers['sec-fetch-dest'] === 'document'
}

async function show({ context, request }: SiteRequest, id: string): Promise<ApiResponse> {
  const { kernel, workspaces } = context
  const workspace = await workspaces.find(id)
  const { demoPageOf } = await import('./demo-page.ts')
  const base = kernel.baseUrl(request)
  const page = demoPageOf({
    id,
    base,
    tag: workspace?.row.tag ?? undefined,
    name: workspace?.row.name ?? undefined,
    actionOf: (path) => actionWithKey(formKeyOf(kernel.formKey, id), path)
  })
  return {
    status: 200,
    headers: { ...headersOf(page), ...NO_STORE },
    body: renderPage(page, kernel.frame(base))
  }
}

/** A form of one pupil's page is not valid for another pupil. */
function formKeyOf(key: string, id: string): string {
  return `${key} ${id}`
}

async function handleChange(call: SiteRequest, action: string): Promise<ApiResponse> {
  const { context, request, method, target } = call
  const change = target.workspace === undefined ? CHANGES.get(action) : undefined
  if (change === undefined) throw new RecordNotFound()
  if (method !== 'POST') throw new MethodNotAllowed()
  const { isKnownHost, formKey } = context.kernel
  const pupil = await context.pupils.find(request)
  checkSender(
    { method, headers: request.headers, url: target.url },
    {
      isKnownHost,
      originMessage: ORIGIN_MESSAGE,
      formKey: pupil && formKeyOf(formKey, pupil.workspace.id)
    }
  )
  if (pupil === undefined) throw new PupilUnknown()
  return change(call, pupil)
}

async function rename({ context, request }: SiteRequest, pupil: Pupil): Promise<ApiResponse> {
  const bytes = await readBytes(request, MAX_FORM_BYTES)
  const { fields } = readFields(bytes, request.headers['content-type'])
  const name = readPupilName(fields.name)
  if (name === undefined) throw new PupilNameInvalid()
  await context.store.renamePupil(pupil.workspace.id, name)
  return seeOther(demoPath(pupil))
}
