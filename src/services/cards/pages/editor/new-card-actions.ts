import { UniqueViolation } from '../../../../kernel/database/errors.ts'
import { SlugUsed } from '../../contract.ts'
import { createEditor } from '../../store/editor.ts'
import { createCard } from '../../store/save-card.ts'
import type { Action } from '../actions/action.ts'
import { cardPath, requireLink } from '../read-pages.ts'
import { readEditedBoard } from './edited-card.ts'
import { renderNewCard } from './editor-form.ts'
import { errorsOf, fieldsOf, formInvalid } from './form-request.ts'
import { planSave } from './plan-save.ts'
import { renderPreview } from './preview.ts'
import { readForm } from './read-form.ts'
import { sentFiles, storeFiles } from './uploads.ts'

const FILES_AGAIN = 'Choose the files again: they are stored with the card.'

/** Files are stored first, then all rows in one transaction. */
const create: Action['handle'] = async (context, request) => {
  const { viewer, params, input } = request
  const on = await readEditedBoard(context, viewer, requireLink(params.board))
  const form = readForm(fieldsOf(input))
  const plan = planSave(form, undefined, on)
  if ('errors' in plan) throw formInvalid(plan.errors)
  const files = await storeFiles(context, input, 0)
  const { list = '', ...edit } = plan.save.edit
  const wanted = { ...plan.save, edit, files }
  const card = await context.store
    .change((time) => createCard(list, wanted, createEditor(context, viewer, time)))
    .catch((error: unknown) => {
      throw error instanceof UniqueViolation ? new SlugUsed(form.slug) : error
    })
  const path = cardPath(card)
  return { redirect: `${path}?created=1`, data: { path, revision: card.revision } }
}

const preview: Action['handle'] = async (context, request) => {
  const { viewer, params, input, root } = request
  const on = await readEditedBoard(context, viewer, requireLink(params.board))
  const form = readForm(fieldsOf(input))
  const view = { baseUrl: root, imageToken: undefined }
  const text = renderPreview(form.description, { id: 'new', attachments: [], view })
  const errors = new Map(sentFiles(input).length === 0 ? [] : [['file', FILES_AGAIN]])
  return {
    page: renderNewCard(context, request, on, { form, preview: text, errors }),
    data: { html: text }
  }
}

/** What was typed is shown again, with the error beside its field. */
export const showNewCardAgain: NonNullable<Action['showAgain']> = async (
  context,
  request,
  error
) => {
  const { viewer, params, input } = request
  const on = await readEditedBoard(context, viewer, requireLink(params.board))
  const errors = new Map(errorsOf(error))
  const message = errors.size > 0 ? undefined : { text: error.message, isError: true }
  if (sentFiles(input).length > 0 && !errors.has('file')) errors.set('file', FILES_AGAIN)
  const form = readForm(fieldsOf(input))
  const status = error.statusCode ?? 500
  return renderNewCard(context, request, on, { form, errors, message, status })
}

export const newCardHandlers = { create, preview }
