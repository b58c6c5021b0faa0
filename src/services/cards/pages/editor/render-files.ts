import { html, type Markup } from '../../../../kernel/html.ts'
import { webUrl } from '../../records/web-url.ts'
import type { AttachmentRow } from '../../store/rows.ts'
import { renderError } from './controls.ts'
import type { FieldErrors } from './field-errors.ts'
import { renderRemoval } from './render-images.ts'

const KIB = 1024

export interface OthersView {
  readonly removed: ReadonlySet<string>
  readonly arrangeAction: string
  /** URLs of files by id. */
  readonly downloads: ReadonlyMap<string, string>
}

/** Links and files that are no images. */
export function renderOthers(attachments: readonly AttachmentRow[], view: OthersView): Markup {
  const others = attachments.filter(({ image }) => image === null)
  return html`<ul class="others" id="others">${others.map((row) => renderOther(row, view))}</ul>`
}

export function renderOther(
  { id, name, url, bytes }: AttachmentRow,
  { removed, arrangeAction, downloads }: OthersView
): Markup {
  const href = url === null ? downloads.get(id) : webUrl(url)
  const text = html`<bdi>${name || url}</bdi>`
  const isRemoved = removed.has(id)
  return html`<li data-attachment="${id}"${isRemoved && html` class="removed"`}>${isRemoved && html`<input type="hidden" name="remove" value="${id}">`}
<span>${href === undefined ? text : html`<a href="${href}" rel="nofollow noopener">${text}</a>`}${bytes !== null && html` <small class="soft">${sizeText(bytes)}</small>`}</span>
${renderRemoval(id, isRemoved, arrangeAction)}</li>`
}

/** `2.4 MB`. */
export function sizeText(bytes: number): string {
  if (bytes < KIB) return `${bytes} bytes`
  const mega = bytes / KIB / KIB
  return mega < 1 ? `${Math.ceil(bytes / KIB)} KB` : `${mega.toFixed(1).replace('.0', '')} MB`
}

export interface UploadView {
  readonly errors: FieldErrors
  readonly maxFiles: number
  readonly maxFileBytes: number
  /** Of an existing card, for the script; a new card gets its files with the form. */
  readonly uploadAction: string | undefined
}

/** The input for files, which is also where files are dropped. */
export function renderUpload({ errors, maxFiles, maxFileBytes, uploadAction }: UploadView): Markup {
  const limit = `Up to ${maxFiles} at once, ${sizeText(maxFileBytes)} each.`
  return html`<div class="drop control" id="drop" data-max-bytes="${maxFileBytes}" data-max-files="${maxFiles}"${uploadAction !== undefined && html` data-upload="${uploadAction}"`}>
<label for="f-file">Add images or other files</label>
<input type="file" id="f-file" name="file" multiple aria-describedby="hint-file error-file">
<p class="hint" id="hint-file">${limit} <span class="scripted" hidden>Drop them anywhere on this page, or paste an image.</span></p>
${renderError({ name: 'file', errors })}
<ul class="uploads" id="uploads" aria-live="polite"></ul>
</div>`
}
