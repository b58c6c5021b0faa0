import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { formAction } from '../../../kernel/form-token.ts'
import type { Kernel } from '../../../kernel/service.ts'
import type { Documents } from '../documents.ts'
import { describeEntry } from '../journal/describe-entry.ts'
import { readFilter, selectEntries } from '../journal/filter.ts'
import { queryOf } from './coverage.ts'
import { EntryNotFound } from './errors.ts'
import { entryPage, journalPage } from './journal-page.ts'
import { createLive } from './live.ts'
import { done, sendPageOrJson } from './page.ts'
import { tryPath } from './try/find-operation.ts'
import { isComplete } from './try/resend.ts'

/** Routes of the journal; returns a function that ends the live streams. */
export function journalRoutes(
  app: FastifyInstance,
  documents: Documents,
  kernel: Kernel
): () => void {
  const { journal, mask } = documents
  const live = createLive(journal, mask, kernel)

  function clear(request: FastifyRequest, reply: FastifyReply) {
    journal.clear()
    return done(request, reply, 'journal')
  }

  app.get('/__nonet/journal', (request, reply) => {
    const filter = readFilter(queryOf(request))
    const entries = selectEntries(journal, filter)
    const counts = journal.counts()
    return sendPageOrJson(
      request,
      reply,
      () => ({ ...counts, entries: entries.map((entry) => describeEntry(entry, mask)) }),
      () => {
        const clearUrl = formAction(request, '/__nonet/journal/clear')
        const operations = namesOf(documents)
        return journalPage({ entries, filter, counts, mask, clearUrl, operations })
      }
    )
  })
  app.get('/__nonet/journal/events', (request, reply) => {
    const query = new URLSearchParams(queryOf(request))
    const last = request.headers['last-event-id']
    if (typeof last === 'string' && /^\d+$/.test(last)) query.set('after', last)
    const filter = readFilter(String(query))
    // EventSource does not reconnect after a 204.
    if (!live.follow(reply.raw, filter)) return reply.code(204).send()
    return reply.hijack()
  })
  app.get<{ Params: { id: string } }>('/__nonet/journal/:id', (request, reply) => {
    const { id } = request.params
    const entry = /^\d{1,16}$/.test(id) ? journal.find(Number(id)) : undefined
    if (entry === undefined) throw new EntryNotFound(id)
    const described = describeEntry(entry, mask)
    return sendPageOrJson(
      request,
      reply,
      () => described,
      () => {
        const { operation } = described
        return entryPage(described, {
          base: kernel.baseUrl(request.raw),
          sendUrl: formAction(request, `/__nonet/journal/${entry.id}/send`),
          tryUrl:
            operation === null ? undefined : tryPath(documents, operation, operation.document),
          isComplete: isComplete(entry)
        })
      }
    )
  })
  app.delete('/__nonet/journal', clear)
  app.post('/__nonet/journal/clear', clear)
  return live.leave
}

function namesOf(documents: Documents): string[] {
  const all = documents.apis().flatMap(({ api }) => api.operations)
  return [...new Set(all.map(({ method, path }) => `${method} ${path}`))]
}
