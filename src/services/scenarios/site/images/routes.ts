import { etagOf, matchesEtag } from '../../../../kernel/etag.ts'
import { readId } from '../../api/resource/item.ts'
import { fieldsOf } from '../../api/resource/stored-records.ts'
import { syntheticRecord } from '../../api/resource/synthetic.ts'
import { DEFAULT_SEED, MethodNotAllowed, RecordNotFound } from '../../contract.ts'
import { LAST_SAMPLE_ID, PEOPLE, type Person, USERS } from '../../data/fixtures.ts'
import type { ApiResponse } from '../../http/response.ts'
import { MAX_LARGE_LIST } from '../../scenario/listing.ts'
import type { SiteRequest, SiteRoute } from '../site-route.ts'
import { drawAvatar, type Sitter } from './avatar.ts'
import { drawIdenticon } from './identicon.ts'

const FILE = /^(\d+)-image\.(jpg|svg|png)$/
const FOR_EVER = 'public, max-age=31536000, immutable'
/** The image changes with the person's name. */
const ASK_AGAIN = 'private, no-cache'
const POLICY = "default-src 'none'; style-src 'unsafe-inline'"

/** `/img/faces/{id}-image.jpg`: an SVG under the name that ReqRes uses; also `.svg` and `.png`. */
export const imageRoutes: SiteRoute = {
  isOpen: true,
  async handle(call) {
    const { segments } = call.target
    const [, id, kind] = FILE.exec(segments[2] ?? '') ?? []
    if (segments[1] !== 'faces' || segments.length !== 3 || id === undefined) {
      throw new RecordNotFound()
    }
    if (call.method !== 'GET') throw new MethodNotAllowed()
    const { sitter, isFixed } = await findSitter(call, readId(id))
    const isPng = kind === 'png'
    const body = isPng ? drawIdenticon(sitter) : drawAvatar(sitter)
    const etag = etagOf(body)
    const headers = {
      'cache-control': isFixed ? FOR_EVER : ASK_AGAIN,
      'content-security-policy': POLICY,
      etag
    }
    if (matchesEtag(call.request.headers['if-none-match'], etag)) return { status: 304, headers }
    const type = isPng ? 'image/png' : 'image/svg+xml'
    return {
      status: 200,
      headers: { ...headers, 'content-type': type },
      body
    } satisfies ApiResponse
  }
}

async function findSitter(
  { context, target }: SiteRequest,
  id: number | undefined
): Promise<{ sitter: Sitter; isFixed: boolean }> {
  if (id === undefined) throw new RecordNotFound()
  const workspace =
    target.workspace === undefined ? undefined : await context.workspaces.find(target.workspace)
  if (workspace !== undefined) {
    const row = await context.store.findRecord({ ws: workspace.id, collection: USERS }, id)
    if (row?.deleted === 1) throw new RecordNotFound()
    if (row !== undefined) return { sitter: sitterOf(fieldsOf(USERS, id, row)), isFixed: false }
  }
  const sample = PEOPLE.find((person) => person.id === id)
  if (sample !== undefined) return { sitter: sample, isFixed: workspace === undefined }
  if (id <= LAST_SAMPLE_ID || id > MAX_LARGE_LIST) throw new RecordNotFound()
  const seed = workspace?.row.seed ?? DEFAULT_SEED
  return { sitter: syntheticRecord(USERS, seed, id) as Person, isFixed: workspace === undefined }
}

function sitterOf(fields: Readonly<Record<string, unknown>> | undefined): Sitter {
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  const { email, first_name, last_name, name } = fields ?? {}
  return {
    email: text(email),
    first_name: text(first_name) || text(name),
    last_name: text(last_name)
  }
}
