import { html, type Markup } from '../../../kernel/html.ts'
import { postPath } from '../pages/links.ts'
import { type NoteKind, postFormUrl, type WritingView } from './view.ts'

const TEXTS: Readonly<Record<NoteKind, string>> = {
  added: 'The account is there. Write its first post.',
  posted: 'Posted.',
  hidden: 'Hidden: only you can see the post.',
  shown: 'Everyone can see the post.',
  deleted: 'Deleted.',
  described: 'The descriptions are saved.'
}

/** What the last form did, with a way back, or why it did nothing. */
export function renderNote(view: WritingView): Markup | false {
  const { note, error, site } = view
  if (error !== undefined) return html`<div class="note" role="alert"><p>${error}</p></div>`
  if (note === undefined) return false
  const { kind, post, wasHidden } = note
  const isPublic = post?.visibility === 'public'
  return html`<div class="note done" role="status"><p>${TEXTS[kind]}${isPublic && html` <a href="${site}${postPath(post.account.userName, post.id)}">Show its page</a>`}</p>
${kind === 'deleted' && post !== undefined && html`<form method="post" action="${postFormUrl(view, post)}" data-fetch><button class="quiet" name="do" value="${wasHidden ? 'hide' : 'show'}">Undo</button></form>`}</div>`
}
