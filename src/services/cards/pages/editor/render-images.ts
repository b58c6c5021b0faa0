import { html, type Markup } from '../../../../kernel/html.ts'
import { MAX_ALT } from '../../content/write-input.ts'
import { imageOf } from '../../present/attachment.ts'
import { renditionUrl } from '../../present/image-url.ts'
import type { AttachmentRow } from '../../store/rows.ts'
import type { CardForm } from './card-form.ts'
import { attributes, renderError } from './controls.ts'
import type { FieldErrors } from './field-errors.ts'
import { altName } from './read-form.ts'

const THUMB_WIDTH = 320

export interface ImagesView {
  readonly form: CardForm
  readonly errors: FieldErrors
  readonly attachments: readonly AttachmentRow[]
  readonly root: string
  readonly imageToken: string
  /** URL that shows the form again after a button of an image. */
  readonly arrangeAction: string
}

/** In the order of the form; images that it does not know follow. */
export function sortedImages({
  form,
  attachments
}: Pick<ImagesView, 'form' | 'attachments'>): AttachmentRow[] {
  const images = attachments.filter(({ image }) => image !== null)
  const order = (id: string) => {
    const index = form.images.indexOf(id)
    return index === -1 ? form.images.length : index
  }
  return images.toSorted((one, other) => order(one.id) - order(other.id))
}

export function renderImages(view: ImagesView): Markup {
  const rows = sortedImages(view)
  const { form } = view
  return html`<ol class="images" id="images">${rows.map((row, index) => renderImage(row, index, rows.length, view))}</ol>
<label class="check no-cover"${rows.length === 0 && html` hidden`}><input type="radio" name="cover" value=""${form.cover === '' && html` checked`}> No cover</label>
${renderError({ name: 'cover', errors: view.errors })}`
}

/** One image with its description and its buttons. */
export function renderImage(
  row: AttachmentRow,
  index: number,
  count: number,
  view: ImagesView
): Markup {
  const { form, errors } = view
  const { id, name } = row
  const isRemoved = form.removed.has(id)
  const control = { name: altName(id), label: '', errors }
  const move = (to: string, text: string, isDisabled: boolean) =>
    html`<button class="small plain" name="do" value="${to}:${id}" formaction="${view.arrangeAction}" formnovalidate aria-label="Move image ${index + 1} ${to}"${isDisabled && html` disabled`}>${text}</button>`
  return html`<li class="image${isRemoved && ' removed'}" data-image="${id}">
<input type="hidden" name="image" value="${id}">${isRemoved && html`<input type="hidden" name="remove" value="${id}">`}
<img src="${thumbUrl(row, view)}" alt="" loading="lazy">
<div class="about"><p class="name" title="${name}"><bdi>${name}</bdi></p>
<label for="f-${control.name}">Describe it for people who cannot see it</label>
<input ${attributes(control)} value="${form.alts.get(id) ?? row.alt ?? ''}" maxlength="${MAX_ALT}" dir="auto" autocomplete="off">${renderError(control)}
<div class="row"><label class="check"><input type="radio" name="cover" value="${id}"${form.cover === id && html` checked`}> Cover</label>
${move('up', '↑', index === 0)}${move('down', '↓', index === count - 1)}
${renderRemoval(id, isRemoved, view.arrangeAction)}</div></div></li>`
}

/** Nothing is removed before the form is saved. */
export function renderRemoval(id: string, isRemoved: boolean, action: string): Markup {
  const wanted = isRemoved ? 'keep' : 'remove'
  return html`<button class="small plain${!isRemoved && ' remove'}" name="do" value="${wanted}:${id}" formaction="${action}" formnovalidate>${isRemoved ? 'Keep it' : 'Remove'}</button>`
}

function thumbUrl(row: AttachmentRow, { root, imageToken }: ImagesView): string {
  const image = imageOf(row)
  if (image === undefined) return ''
  return `${renditionUrl(root, image, { width: THUMB_WIDTH })}&token=${encodeURIComponent(imageToken)}`
}
