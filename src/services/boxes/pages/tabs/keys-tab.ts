import { html, type Markup } from '../../../../kernel/html.ts'
import { address, askFirst, emptyState, time } from '../../../../kernel/page-parts.ts'
import { KEY_SCOPES, type KeyScope } from '../../box/keys/scopes.ts'
import type { IssuedKey, KeyRow } from '../../store/keys.ts'
import { hiddenFields } from '../form-parts.ts'
import type { PageRequest } from '../page-request.ts'

const TEXTS = {
  lead: 'The key that is sent with the first record owns the box: from then on, writing needs a key. The owner can give others keys of their own and make the box private.',
  owner: 'Owner key',
  ownerNote: '(a UUID)',
  show: 'Show the keys',
  none: 'No keys besides the owner key',
  noneNext: 'Issue one for each person or program that uses the box.',
  label: 'Label',
  issue: 'Issue a key',
  revoke: 'Revoke',
  revokeQuestion: 'It stops working at once.',
  rotate: 'Replace',
  private: 'Make the box private',
  public: 'Let everyone read the box',
  isPrivate: 'Private: reading needs a key too.',
  isReadable: 'Everyone who knows the box id can read it; writing needs a key.',
  publicBox: 'This box is public and stays public: it began without a key.',
  issued: 'The new key. Copy it now: it is not shown again.'
}

const SCOPE_TEXTS: Readonly<Record<KeyScope, string>> = {
  read: 'read',
  create: 'store new records',
  write: 'read, store, change and delete'
}

/** What the owner may see; undefined before the owner key was sent. */
export interface OwnedKeys {
  readonly private: boolean
  readonly keys: readonly KeyRow[]
}

export interface KeysTab {
  readonly look: PageRequest
  readonly isPublic: boolean
  readonly owned: OwnedKeys | undefined
  /** Only in the response to the request that issued it. */
  readonly issued: Pick<IssuedKey, 'key' | 'label'> | undefined
}

export function keysTab({ look, isPublic, owned, issued }: KeysTab): Markup {
  if (isPublic)
    return html`<section class="panel" aria-label="Keys">${emptyState(TEXTS.publicBox, TEXTS.lead)}</section>`
  return html`<section class="panel" aria-label="Keys">
${issued !== undefined && html`<div class="note" role="status" tabindex="-1" data-focus><p><b>${TEXTS.issued}</b>${issued.label !== null && html` (${issued.label})`}</p>${address(issued.key, 'Copy the key')}</div>`}
<p>${TEXTS.lead}</p>
<form class="box-form" action="/" method="post">
${hiddenFields({ box: look.box, tab: 'keys' })}
<label><span>${TEXTS.owner} <span class="soft">${TEXTS.ownerNote}</span></span><input name="key" type="password" size="36" required autocomplete="off"></label>
<button name="action" value="keys-show"${owned !== undefined && html` class="quiet"`}>${TEXTS.show}</button>
${owned !== undefined && ownerParts(owned)}
</form></section>`
}

function ownerParts({ private: isPrivate, keys }: OwnedKeys): Markup {
  return html`<div class="box-text">
<p>${isPrivate ? TEXTS.isPrivate : TEXTS.isReadable} <button name="action" value="${isPrivate ? 'keys-public' : 'keys-private'}" class="quiet">${isPrivate ? TEXTS.public : TEXTS.private}</button></p>
${keys.length === 0 ? emptyState(TEXTS.none, TEXTS.noneNext) : keyTable(keys)}
<h3>${TEXTS.issue}</h3>
<div class="box-actions"><label>${TEXTS.label} <input name="label" maxlength="100" autocomplete="off"></label>
<label>May <select name="scope">${KEY_SCOPES.map((scope) => html`<option value="${scope}">${SCOPE_TEXTS[scope]}</option>`)}</select></label>
<button name="action" value="keys-issue">${TEXTS.issue}</button></div></div>`
}

function keyTable(keys: readonly KeyRow[]): Markup {
  return html`<table class="stack"><thead><tr><th scope="col">${TEXTS.label}</th><th scope="col">May</th><th scope="col">Issued</th><th scope="col"><span class="hidden">Actions</span></th></tr></thead>
<tbody>${keys.map(({ id, label, scopes, created, revoked }) => {
    const name = label ?? id
    return html`<tr><th scope="row">${name}</th><td>${scopes.join(', ')}</td><td class="soft">${time(created)}</td><td class="right">${
      revoked === null
        ? html`<button name="action" value="keys-rotate ${id}" class="quiet" aria-label="${TEXTS.rotate} ${name}">${TEXTS.rotate}</button> ${askFirst(TEXTS.revoke, TEXTS.revokeQuestion, html`<button name="action" value="keys-revoke ${id}" class="danger" aria-label="${TEXTS.revoke} ${name}">${TEXTS.revoke}</button>`)}`
        : html`<span class="soft">revoked ${time(revoked)}</span>`
    }</td></tr>`
  })}</tbody></table>`
}
