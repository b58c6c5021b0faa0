import { html, type Markup } from '../../../kernel/html.ts'
import { MAX_IMAGES } from '../api/read-post.ts'
import { excerptOf } from '../pages/text.ts'
import { pageUrl, type WritingView } from './view.ts'

const EXCERPT = 80
const TYPES = 'image/jpeg,image/png,image/webp,image/gif,image/avif'

/** The form for a new post. Without its script, images have a field each. */
export function renderComposer(view: WritingView): Markup | false {
  const { account, draft, actionOf, maxTextLength } = view
  if (account === undefined) return false
  return html`<section class="panel composer" aria-label="New post">
<form id="compose" method="post" enctype="multipart/form-data" action="${actionOf(`/accounts/${account.id}/posts`)}" data-account="${account.id}" data-max="${maxTextLength}" data-images="${MAX_IMAGES}">
${renderReply(view)}
<label class="hidden" for="text">Text of the new post</label>
<textarea id="text" name="text" rows="3" placeholder="What is new?" aria-describedby="counter">${newLine(draft.text)}</textarea>
<ul class="tiles" id="tiles" aria-label="Images of the new post" hidden></ul>
<details class="plain-images" id="plain-images"><summary>Add images</summary>
${Array.from({ length: MAX_IMAGES }, (_, index) => renderImageFields(index + 1))}
</details>
<div class="composer-bar">
<button type="button" class="quiet" id="pick" hidden>Add images</button><input type="file" id="files" accept="${TYPES}" multiple hidden aria-label="Images">
<label class="inline"><span>Visible to</span> <select name="visibility">
<option value="public">everyone</option>
<option value="hidden"${draft.visibility === 'hidden' && html` selected`}>only you</option>
</select></label>
<label class="inline" id="sensitive"><input type="checkbox" name="sensitive" value="true"${draft.sensitive && html` checked`}> <span>Sensitive images</span></label>
<span class="counter" id="counter">up to ${maxTextLength.toLocaleString('en')} characters</span>
<button id="send" title="Ctrl + Enter">Post</button>
</div>
</form>
</section>`
}

/** A browser leaves out a line break at the beginning of a text area. */
function newLine(text: string): string {
  return text.startsWith('\n') ? `\n${text}` : text
}

function renderReply({ prefix, account, replyTo }: WritingView): Markup | false {
  if (replyTo === undefined) return false
  return html`<p class="reply small" id="reply">Reply to your post “${excerptOf(replyTo.text, EXCERPT)}” <a href="${pageUrl(prefix, { account: account?.userName })}">No reply</a><input type="hidden" name="in_reply_to" value="${replyTo.id}"></p>`
}

function renderImageFields(number: number): Markup {
  return html`<fieldset><legend>Image ${number}</legend>
<label>File <input type="file" name="media" accept="${TYPES}"></label>
<label class="wide-field">Description for people who cannot see it <input name="alt"></label>
</fieldset>
`
}
