import type { FastifyReply, FastifyRequest } from 'fastify'
import { browserModulesIn } from '../../../kernel/browser-modules.ts'
import { RouteNotFound } from '../../../kernel/errors.ts'
import { parseRequestTarget } from '../../../kernel/request-target.ts'
import { sendPage } from '../../../kernel/send-page.ts'
import { type PostForm, withPostForm } from '../api/read-post.ts'
import type { StatusContext } from '../context.ts'
import { ImportUnknown } from '../contract.ts'
import { resizeFile } from '../http/resize-file.ts'
import type { Posting } from '../posting/posting.ts'
import { storeImages } from '../posting/store-images.ts'
import type { Account } from '../records/record.ts'
import { readWriter } from '../store/accounts.ts'
import { accountIn, addAccount } from './add-account.ts'
import { createArchiveImports } from './archive-imports.ts'
import { changePost } from './change-post.ts'
import { importPage, writingPage } from './page.ts'
import { readFields } from './read-fields.ts'
import { readView, type WritingContext } from './read-view.ts'
import { type Draft, isFilter, type PageQuery, pageUrl, type WritingView } from './view.ts'

type Params = Readonly<Record<string, string>>
export type WritingHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
export type HandlerName =
  | 'page'
  | 'asset'
  | 'media'
  | 'addAccount'
  | 'post'
  | 'change'
  | 'importArchive'
  | 'showImport'
export interface Writing extends Readonly<Record<HandlerName, WritingHandler>> {
  /** Ends a running import. */
  stop: () => void
}

const modules = browserModulesIn(new URL('./browser/', import.meta.url))
const THUMBNAIL = { width: 240, height: 240, fit: 'cover' } as const
const HASH = /^[0-9a-f]{64}$/
/** Seconds until the page of a running import is loaded again. */
const REFRESH_S = 2

/** Handlers of the writing page, below `prefix` of the console, which checks access. */
export function createWriting(context: StatusContext, posting: Posting, prefix: string): Writing {
  const { store } = context
  const imports = createArchiveImports(context)
  const form = { folder: context.uploadFolder, maxTextLength: context.options.maxTextLength }
  const writing: WritingContext = { context, posting, imports, prefix }

  async function writerOf(request: FastifyRequest): Promise<Account> {
    const { account: id = '' } = request.params as Params
    const account = await store.read(() => readWriter({ id }))
    if (account === undefined) throw new RouteNotFound(request.method, request.url)
    return account
  }

  /** The page with the reason and all that was typed, for people; the error for other clients. */
  async function explain(
    request: FastifyRequest,
    reply: FastifyReply,
    error: unknown,
    typed: Partial<WritingView> & { writer?: Account | undefined } = {}
  ): Promise<FastifyReply> {
    const { statusCode: status = 500, message } = error as { statusCode?: number; message: string }
    if (status === 500 || !wantsPage(request)) throw error
    const { writer, ...rest } = typed
    const view = await readView(request, writing, writer)
    return sendPage(
      reply.code(status),
      writingPage({ ...view, ...rest, note: undefined, error: message })
    )
  }

  const lead = (reply: FastifyReply, query: PageQuery) =>
    reply.redirect(pageUrl(prefix, query), 303)

  return {
    async page(request, reply) {
      return sendPage(reply, writingPage(await readView(request, writing)))
    },

    async asset(request, reply) {
      const name = ((request.params as Params).file ?? '').replace(/\.(js|ts)$/, '')
      const found = modules.respond(name, request.headers['if-none-match'])
      if (found === undefined) throw new RouteNotFound(request.method, request.url)
      return reply.code(found.status).headers(found.headers).send(found.body)
    },

    async media(request, reply) {
      const { hash = '' } = request.params as Params
      const image = HASH.test(hash) ? await resizeFile(context, hash, THUMBNAIL) : undefined
      if (image === undefined) throw new RouteNotFound(request.method, request.url)
      return reply.type(image.mediaType).send(image.bytes)
    },

    async addAccount(request, reply) {
      let newAccount = { userName: '', name: '' }
      try {
        newAccount = accountIn(await readFields(request.raw))
        const added = await addAccount(store, newAccount)
        if (!wantsPage(request)) return reply.code(201).send(added)
        return lead(reply, { account: added.user_name, note: 'added' })
      } catch (error) {
        return explain(request, reply, error, { newAccount, addsAccount: true })
      }
    },

    async post(request, reply) {
      const writer = await writerOf(request)
      const typed: Partial<WritingView> = {}
      try {
        return await withPostForm(request.raw, form, async ({ post, images }) => {
          typed.draft = draftOf(post)
          typed.replyTo = await posting.find(writer.id, post.inReplyTo ?? '')
          const media = await storeImages(posting, images)
          const { record } = await posting.create(writer.id, { ...post, media })
          return lead(reply, { account: writer.userName, note: 'posted', post: record.id })
        })
      } catch (error) {
        return explain(request, reply, error, { writer, ...typed })
      }
    },

    async change(request, reply) {
      const writer = await writerOf(request)
      try {
        const { id = '' } = request.params as Params
        const query = request.query as Params
        const note = await changePost(posting, writer.id, id, await readFields(request.raw))
        const show = isFilter(query.show) ? query.show : undefined
        return lead(reply, { account: writer.userName, show, before: query.before, ...note })
      } catch (error) {
        return explain(request, reply, error, { writer })
      }
    },

    async importArchive(request, reply) {
      const query = new URLSearchParams(parseRequestTarget(request.url).query)
      try {
        const job = await imports.start(request.raw, query)
        const url = `${prefix}/import/archive/${job.id}`
        if (wantsPage(request)) return reply.redirect(url, 303)
        return reply.code(202).header('location', url).send(job)
      } catch (error) {
        return explain(request, reply, error)
      }
    },

    async showImport(request, reply) {
      const job = imports.find((request.params as Params).job ?? '')
      if (job === undefined) throw new ImportUnknown()
      if (!wantsPage(request)) return job
      if (job.state === 'running') reply.header('refresh', String(REFRESH_S))
      return sendPage(reply, importPage({ prefix, job }))
    },

    stop: imports.stop
  }
}

/** Browsers send each line break of a form as two characters. */
function draftOf({ text, visibility = 'public', sensitive = false }: PostForm['post']): Draft {
  return { text: text.replaceAll('\r\n', '\n'), visibility, sensitive }
}

function wantsPage({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('text/html') === true
}
