import type { Job, JobResult } from '../../../kernel/outbox/job.ts'
import type { CardContext } from '../context.ts'
import { canBePublished } from '../records/publication.ts'
import { createEditor, ownerOf } from '../store/editor.ts'
import { publicationList } from '../store/publish-card.ts'
import { type DuePublication, findDue, publishDue } from '../store/schedule-card.ts'

/** Publishes a card at its time: once, in one transaction with the end of the job. */
export async function runPublishJob(context: CardContext, { payload }: Job): Promise<JobResult> {
  const due: DuePublication = JSON.parse(payload)
  const time = context.kernel.now().toISOString()
  await warnWithoutList(context, due)
  const editorFor = (member: string) => createEditor(context, ownerOf(member), time)
  return { state: 'done', write: () => publishDue(due, editorFor) }
}

async function warnWithoutList({ kernel, store }: CardContext, due: DuePublication): Promise<void> {
  const stays = await store.read(function* () {
    const card = yield* findDue(due)
    if (card === undefined || !canBePublished(card)) return undefined
    return (yield* publicationList(card)) === undefined ? card : undefined
  })
  if (stays === undefined) return
  kernel.warn(
    `The card ${stays.short_link} was to be published at ${due.publishAt}, but its board has no open list with the role published; it stays a draft.`
  )
}
