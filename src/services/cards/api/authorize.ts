import type { ServerResponse } from 'node:http'
import { checkSender } from '../../../kernel/admin-guard.ts'
import { actionWithKey, hasFormToken } from '../../../kernel/form-token.ts'
import { headersOf, type Page, renderPage } from '../../../kernel/page.ts'
import { FormTokenMissing } from '../../../kernel/page-errors.ts'
import type { CardContext, Section, SectionRequest } from '../context.ts'
import { API_CACHE, MemberUnknown, PermissionMissing, RouteUnknown } from '../contract.ts'
import type { Input } from '../http/input.ts'
import { withInput } from '../http/read-input.ts'
import { authorizePage, tokenPage } from '../pages/authorize-page.ts'
import { MEMBER_BINDING } from '../records/bindings.ts'
import { ensureMember, findMemberByName, listMembers } from '../store/members.ts'
import type { MemberRow } from '../store/rows.ts'
import { type Authorization, readAuthorization } from './authorize-request.ts'
import { textValue } from './values.ts'

/** Members of the list to choose from. */
const MAX_MEMBERS = 200
const PATH = '/1/authorize'
const ADMIN_NEEDED =
  'nonet is reachable from other machines or through a proxy, so this page requires the admin token, which is printed at startup.'
const NOT_ADMIN = 'This is not the admin token.'

/** The page where the operator makes a token for an app, below `/1/authorize`. */
export function createAuthorize(context: CardContext): Section {
  const { kernel, store, nextId } = context

  function show(
    { baseUrl }: SectionRequest,
    authorization: Authorization,
    members: readonly MemberRow[],
    message?: string
  ): Page {
    const action =
      new URL(baseUrl).pathname.replace(/\/$/, '') + actionWithKey(kernel.formKey, PATH)
    const names = members.map((member) => member.user_name)
    return authorizePage({ authorization, action, members: names, message })
  }

  async function create(authorization: Authorization, input: Input): Promise<Page> {
    const { name, scopes, lifetimeMs } = authorization
    const member = await chooseMember(textValue(input, 'member', { max: MAX_MEMBERS }))
    const expiresAt = lifetimeMs === undefined ? undefined : kernel.now().getTime() + lifetimeMs
    const bindings = [MEMBER_BINDING + member.id]
    const { secret } = await kernel.credentials.create({ name, scopes, bindings, expiresAt })
    return tokenPage(secret, authorization)
  }

  async function chooseMember(userName = ''): Promise<MemberRow> {
    if (userName === '') return store.change((time) => ensureMember(nextId(), time))
    const member = await store.read(() => findMemberByName(userName))
    if (member === undefined) throw new MemberUnknown(userName)
    return member
  }

  async function respond(request: SectionRequest, input: Input): Promise<[number, Page]> {
    const { raw, baseUrl } = request
    const authorization = readAuthorization(input, new URL(baseUrl).origin)
    const given = textValue(input, 'admin_token')
    const isSignedIn = kernel.isAdmin(raw) || (given !== undefined && kernel.isAdminToken(given))
    if (isSignedIn && raw.method === 'POST') return [200, await create(authorization, input)]
    if (isSignedIn) {
      const members = await store.read(() => listMembers(MAX_MEMBERS))
      return [200, show(request, authorization, members)]
    }
    if (raw.headers.accept?.includes('text/html') !== true) throw new PermissionMissing()
    const message = given === undefined ? ADMIN_NEEDED : NOT_ADMIN
    return [401, show(request, authorization, [], message)]
  }

  function check({ raw, query, path }: SectionRequest): void {
    const { method = '', headers } = raw
    if (method !== 'GET' && method !== 'HEAD' && method !== 'POST') {
      throw new RouteUnknown(method, path)
    }
    const sent = { method, headers, url: `${PATH}?${query}` }
    const { formKey, isKnownHost } = kernel
    const originMessage = 'Only pages of this service may make tokens here'
    checkSender(sent, { isKnownHost, originMessage, formKey })
    if (method === 'POST' && !hasFormToken(sent, formKey)) throw new FormTokenMissing()
  }

  return async (request) => {
    check(request)
    const { raw, query, baseUrl } = request
    const { maxFileBytes } = context.options
    const options = { query, folder: context.uploadFolder, maxFileBytes }
    const [status, page] = await withInput(raw, options, ({ input }) => respond(request, input))
    const body = renderPage(page, kernel.frame(baseUrl))
    return async (reply: ServerResponse) => {
      const headers = { ...headersOf(page), 'cache-control': API_CACHE }
      reply.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body)
    }
  }
}
