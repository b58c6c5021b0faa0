import { createHash } from 'node:crypto'
import { attachmentDisposition } from '../../../../kernel/content-disposition.ts'
import { decodeSegment } from '../../../../kernel/request-target.ts'
import { FileMissing, RecordNotFound } from '../../contract.ts'
import { type ApiResponse, json } from '../../http/response.ts'
import type { Route } from '../../pipeline/request-context.ts'
import { countCall, type RequestContext } from '../../pipeline/request-context.ts'
import { fileContent } from './download.ts'
import { type Received, receiveFiles } from './receive.ts'

const MAX_LISTED = 200

/** Stored metadata of a file; its URL depends on the request that reads it. */
type Meta = Omit<Received, 'content'> & { readonly id: string }

/** `POST /api/uploads`: the files are hashed, and stored if there is a workspace. */
async function handleUpload(call: RequestContext): Promise<ApiResponse> {
  const budget = call.workspace === undefined ? undefined : call.context.openBudget()
  try {
    const received = await receiveFiles(call, budget)
    if (received.length === 0) throw new FileMissing()
    const files = await nameFiles(call, received)
    if (call.workspace !== undefined) await keep(call, files, received)
    return json({ files: files.map((file) => wireOf(call, file)) }, 201)
  } finally {
    budget?.giveBack()
  }
}

async function keep(call: RequestContext, files: readonly Meta[], received: readonly Received[]) {
  const uploads = files.map((meta, index) => ({
    id: meta.id,
    meta: JSON.stringify(meta),
    content: received[index]?.content ?? Buffer.alloc(0)
  }))
  await call.context.store.addUploads(call.workspaceId, uploads, call.now())
}

/** The same files in the same order of requests get the same ids. */
async function nameFiles(call: RequestContext, received: readonly Received[]): Promise<Meta[]> {
  const n = call.workspace === undefined ? 0 : await countCall(call, 'upload')
  return received.map(({ content: _, ...file }, index) => {
    const parts = JSON.stringify([call.seed, n, index, file.filename, file.sha256])
    const id = createHash('sha256').update(parts).digest('hex').slice(0, 24)
    return { id, ...file }
  })
}

function wireOf({ workspace, apiBaseUrl: home }: RequestContext, meta: Meta) {
  return { ...meta, url: workspace === undefined ? null : `${home}/uploads/${meta.id}` }
}

async function handleList(call: RequestContext): Promise<ApiResponse> {
  const rows =
    call.workspace === undefined
      ? []
      : await call.context.store.listUploads(call.workspaceId, MAX_LISTED)
  return json({ files: rows.map(({ meta }) => wireOf(call, JSON.parse(meta))) })
}

/** Sent as an attachment with a generic type, so that it never runs in a page of this origin. */
async function handleDownload(call: RequestContext, id: string): Promise<ApiResponse> {
  const text = call.workspace && (await call.context.store.findUpload(call.workspaceId, id))
  if (text === undefined) throw new RecordNotFound()
  const { filename, sha256, size }: Meta = JSON.parse(text)
  const content = await fileContent(call, id, size)
  return {
    ...content,
    status: 200,
    headers: {
      ...content.headers,
      'content-type': 'application/octet-stream',
      'content-disposition': attachmentDisposition(filename || id),
      'content-security-policy': "default-src 'none'; sandbox",
      etag: `"${sha256}"`
    }
  }
}

const UPLOAD: Route = { pattern: '/api/uploads', endpoint: handleUpload, streamsBody: true }
const LIST: Route = { pattern: '/api/uploads', endpoint: handleList }

export function uploadRoute(method: string, rest: readonly string[]): Route | undefined {
  if (rest.length === 0) return method === 'POST' ? UPLOAD : method === 'GET' ? LIST : undefined
  const id = decodeSegment(rest[0] ?? '')
  if (method !== 'GET' || rest.length > 1 || id === undefined) return undefined
  if (!/^[0-9a-f]{24}$/.test(id)) return undefined
  return { pattern: '/api/uploads/{id}', endpoint: (call) => handleDownload(call, id) }
}
