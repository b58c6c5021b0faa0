import { UniqueViolation } from '../../../../kernel/database/errors.ts'
import type { CardContext } from '../../context.ts'
import { CardChanged, RequestInvalid, SlugUsed } from '../../contract.ts'
import { changeCheckItem } from '../../store/check-items.ts'
import { createEditor } from '../../store/editor.ts'
import type { CardRow } from '../../store/rows.ts'
import { addFiles, saveCard } from '../../store/save-card.ts'
import type { Action, ActionRequest } from '../actions/action.ts'
import type { ShownPage } from '../page-request.ts'
import { cardPath } from '../read-pages.ts'
import { arrange } from './arrange.ts'
import { formOf } from './card-form.ts'
import { conflictPage } from './conflict-page.ts'
import { downloadUrls } from './download-urls.ts'
import { type EditedCard, readEditedCard } from './edited-card.ts'
import { renderEditor, type Shown } from './editor-form.ts'
import { errorsOf, type FormRequest, formInvalid, readFormRequest } from './form-request.ts'
import { editorPaths } from './paths.ts'
import { planSave } from './plan-save.ts'
import { renderPreview } from './preview.ts'
import { renderOther } from './render-files.ts'
import { renderImage, sortedImages } from './render-images.ts'
import { sentFiles, storeFiles } from './uploads.ts'

const CHECK = /^check:([0-9a-f]{24}):([01])$/
type AgainHandler = NonNullable<Action['showAgain']>

/** Browsers send no file again that was chosen before. */
const FILES_AGAIN = 'Choose the files again: they were not stored.'

const save: Action['handle'] = async (context, request) => {
  const { card, form, revision, link } = await readFormRequest(context, request)
  const plan = planSave(form, card.parts, card.on)
  if ('errors' in plan) throw formInvalid(plan.errors)
  const files = await storeFiles(context, request.input, card.parts.attachments.length)
  const wanted = { ...plan.save, files }
  const saved = await context.store
    .change(
      (time) => saveCard(link, revision, wanted, createEditor(context, request.viewer, time)),
      {
        frees: (plan.save.images?.removed.length ?? 0) > 0
      }
    )
    .catch((error: unknown) => {
      throw error instanceof UniqueViolation ? new SlugUsed(form.slug) : error
    })
  return savedOutcome(saved, 'saved')
}

function savedOutcome(card: CardRow, message: string) {
  const path = cardPath(card)
  return { redirect: `${path}?${message}=1`, data: { path, revision: card.revision } }
}

/** Files that come with another button are stored at once, because browsers do not keep them. */
async function addSentFiles(
  context: CardContext,
  request: ActionRequest,
  sent: FormRequest
): Promise<{ card: EditedCard; revision: number; added: readonly string[] }> {
  const { card, link, revision } = sent
  const files = await storeFiles(context, request.input, card.parts.attachments.length)
  if (files.length === 0) return { card, revision, added: [] }
  const {
    before,
    card: row,
    added
  } = await context.store.change((time) =>
    addFiles(link, files, createEditor(context, request.viewer, time))
  )
  return {
    card: await readEditedCard(context, request.viewer, link),
    // A change of others is still told when the form is saved.
    revision: before === revision ? row.revision : revision,
    added
  }
}

/** The page with everything that was typed. */
async function showTyped(
  context: CardContext,
  request: ActionRequest,
  sent: FormRequest,
  shown: Shown
): Promise<ShownPage> {
  const { card, revision, added } = await addSentFiles(context, request, sent)
  const form = shown.form ?? sent.form
  const images = [...form.images, ...added]
  const isFirst = form.cover === '' && added.length > 0
  const cover = isFirst ? (card.parts.card.cover_attachment ?? '') : form.cover
  return renderEditor(context, request, card, {
    ...shown,
    form: { ...form, images, cover },
    revision
  })
}

const preview: Action['handle'] = async (context, request) => {
  const sent = await readFormRequest(context, request)
  const { parts, imageToken } = sent.card
  const view = { baseUrl: request.root, imageToken }
  const { attachments, card } = parts
  const text = renderPreview(sent.form.description, { id: card.id, attachments, view })
  return outcome(context, request, sent, { preview: text }, { html: text })
}

const arrangeImages: Action['handle'] = async (context, request) => {
  const sent = await readFormRequest(context, request)
  return outcome(context, request, sent, { form: arrange(sent.form, commandOf(sent)) }, {})
}

const check: Action['handle'] = async (context, request) => {
  const sent = await readFormRequest(context, request)
  const [, item, state] = CHECK.exec(commandOf(sent)) ?? []
  if (item === undefined) throw new RequestInvalid('The form names no item of a checklist')
  const isComplete = state === '1'
  const owner = { card: sent.link }
  await context.store.change((time) =>
    changeCheckItem(owner, item, { isComplete }, createEditor(context, request.viewer, time))
  )
  const card = await readEditedCard(context, request.viewer, sent.link)
  return outcome(context, request, { ...sent, card }, {}, { isComplete })
}

const upload: Action['handle'] = async (context, request) => {
  const sent = await readFormRequest(context, request)
  const { card, revision, added } = await addSentFiles(context, request, sent)
  const form = formOf(card.parts, card.on)
  const { root, action } = request
  const { attachments } = card.parts
  const arrangeAction = action(editorPaths(sent.link).arrange)
  const { imageToken } = card
  const view = { form, errors: new Map(), attachments, root, imageToken, arrangeAction }
  const rows = sortedImages(view)
  const images = rows.flatMap((row, index) =>
    added.includes(row.id) ? [renderImage(row, index, rows.length, view).markup] : []
  )
  const downloads = await downloadUrls(context, request, card.on.board.id, attachments)
  const others = attachments
    .filter(({ id, image }) => image === null && added.includes(id))
    .map((row) => renderOther(row, { removed: form.removed, arrangeAction, downloads }).markup)
  const data = { revision, images, others, cover: form.cover }
  const page = await renderEditor(context, request, card, { form: sent.form, revision })
  return { page, data }
}

async function outcome(
  context: CardContext,
  request: ActionRequest,
  sent: FormRequest,
  shown: Shown,
  data: object
) {
  return { page: await showTyped(context, request, sent, shown), data }
}

function commandOf({ fields }: FormRequest): string {
  return fields.find(([name]) => name === 'do')?.[1] ?? ''
}

/** What was typed is shown again, with the error beside its field. */
export const showCardAgain: AgainHandler = async (context, request, error) => {
  const { card, form, revision } = await readFormRequest(context, request)
  const hasFiles = sentFiles(request.input).length > 0
  if (error instanceof CardChanged) {
    return conflictPage(context, request, { card, form, message: error.message, hasFiles })
  }
  const errors = new Map(errorsOf(error))
  const isNamed = errors.size > 0
  if (hasFiles && !errors.has('file')) errors.set('file', FILES_AGAIN)
  const message = isNamed ? undefined : { text: error.message, isError: true }
  const status = error.statusCode ?? 500
  return renderEditor(context, request, card, { form, revision, errors, message, status })
}

export const cardHandlers = { save, preview, arrange: arrangeImages, upload, check }
