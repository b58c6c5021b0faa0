/**
 * `public`: without a token and with publishable keys, for the published part of a board; other
 * tokens see all of theirs. `read`, `write`, `admin`: scopes that the token of a member needs.
 * `signed`: like `read`, or a URL with a signature, which the handler checks.
 */
export type Access = 'public' | 'signed' | 'read' | 'write' | 'admin'

export interface ApiRoute {
  /** Name of the handler. */
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below `/1`; a segment after a colon is a parameter. The first pattern that matches counts. */
  readonly pattern: string
  readonly access: Access
}

function route<const Name extends string>(
  name: Name,
  access: Access,
  method: ApiRoute['method'],
  pattern: string
): ApiRoute & { readonly name: Name } {
  return { name, access, method, pattern }
}

/** All routes of the compatible API. A first segment in the singular is the same route. */
export const API_ROUTES = [
  route('batch', 'public', 'GET', '/batch'),
  route('search', 'read', 'GET', '/search'),
  route('memberBoards', 'read', 'GET', '/members/:member/boards'),
  route('memberCards', 'read', 'GET', '/members/:member/cards'),
  route('memberOrganizations', 'read', 'GET', '/members/:member/organizations'),
  route('member', 'read', 'GET', '/members/:member'),
  route('memberField', 'read', 'GET', '/members/:member/:field'),
  route('tokenMember', 'read', 'GET', '/tokens/:token/member'),
  route('tokenWebhooks', 'read', 'GET', '/tokens/:token/webhooks'),
  route('addTokenWebhook', 'read', 'POST', '/tokens/:token/webhooks'),
  route('tokenWebhook', 'read', 'GET', '/tokens/:token/webhooks/:webhook'),
  route('changeTokenWebhook', 'read', 'PUT', '/tokens/:token/webhooks/:webhook'),
  route('removeTokenWebhook', 'read', 'DELETE', '/tokens/:token/webhooks/:webhook'),
  route('token', 'read', 'GET', '/tokens/:token'),
  route('removeToken', 'read', 'DELETE', '/tokens/:token'),
  route('organizationBoards', 'read', 'GET', '/organizations/:organization/boards'),
  route('organizationMembers', 'read', 'GET', '/organizations/:organization/members'),
  route('organization', 'read', 'GET', '/organizations/:organization'),

  route('addBoard', 'write', 'POST', '/boards'),
  route('boardLists', 'public', 'GET', '/boards/:board/lists'),
  route('addBoardList', 'write', 'POST', '/boards/:board/lists'),
  route('boardLists', 'public', 'GET', '/boards/:board/lists/:filter'),
  route('boardCards', 'public', 'GET', '/boards/:board/cards'),
  route('boardCardsOrCard', 'public', 'GET', '/boards/:board/cards/:filter'),
  route('boardLabels', 'public', 'GET', '/boards/:board/labels'),
  route('addBoardLabel', 'write', 'POST', '/boards/:board/labels'),
  route('boardFields', 'public', 'GET', '/boards/:board/customFields'),
  route('boardMembers', 'read', 'GET', '/boards/:board/members'),
  route('boardMemberships', 'read', 'GET', '/boards/:board/memberships'),
  route('boardChecklists', 'read', 'GET', '/boards/:board/checklists'),
  route('boardActions', 'read', 'GET', '/boards/:board/actions'),
  route('board', 'public', 'GET', '/boards/:board'),
  route('changeBoard', 'write', 'PUT', '/boards/:board'),
  route('removeBoard', 'admin', 'DELETE', '/boards/:board'),
  route('boardField', 'public', 'GET', '/boards/:board/:field'),
  route('changeBoardField', 'write', 'PUT', '/boards/:board/:field'),

  route('addList', 'write', 'POST', '/lists'),
  route('listCards', 'public', 'GET', '/lists/:list/cards'),
  route('addListCard', 'write', 'POST', '/lists/:list/cards'),
  route('listCards', 'public', 'GET', '/lists/:list/cards/:filter'),
  route('archiveAllCards', 'write', 'POST', '/lists/:list/archiveAllCards'),
  route('moveAllCards', 'write', 'POST', '/lists/:list/moveAllCards'),
  route('listBoard', 'public', 'GET', '/lists/:list/board'),
  route('listActions', 'read', 'GET', '/lists/:list/actions'),
  route('list', 'public', 'GET', '/lists/:list'),
  route('changeList', 'write', 'PUT', '/lists/:list'),
  route('listField', 'public', 'GET', '/lists/:list/:field'),
  route('changeListField', 'write', 'PUT', '/lists/:list/:field'),

  route('addCard', 'write', 'POST', '/cards'),
  route('cardBoard', 'public', 'GET', '/cards/:card/board'),
  route('cardList', 'public', 'GET', '/cards/:card/list'),
  route('cardAttachments', 'public', 'GET', '/cards/:card/attachments'),
  route('addAttachment', 'write', 'POST', '/cards/:card/attachments'),
  route('cardAttachment', 'public', 'GET', '/cards/:card/attachments/:attachment'),
  route('changeAttachment', 'write', 'PUT', '/cards/:card/attachments/:attachment'),
  route('removeAttachment', 'write', 'DELETE', '/cards/:card/attachments/:attachment'),
  route(
    'downloadAttachment',
    'signed',
    'GET',
    '/cards/:card/attachments/:attachment/download/:fileName'
  ),
  route(
    'downloadPreview',
    'public',
    'GET',
    '/cards/:card/attachments/:attachment/previews/:preview/download/:fileName'
  ),
  route('cardItems', 'public', 'GET', '/cards/:card/customFieldItems'),
  route('changeItem', 'write', 'PUT', '/cards/:card/customField/:customField/item'),
  route('changeItem', 'write', 'PUT', '/cards/:card/customFields/:customField/item'),
  route('changeItems', 'write', 'PUT', '/cards/:card/customFields'),
  route('cardChecklists', 'read', 'GET', '/cards/:card/checklists'),
  route('addCardChecklist', 'write', 'POST', '/cards/:card/checklists'),
  route('removeCardChecklist', 'write', 'DELETE', '/cards/:card/checklists/:checklist'),
  route('cardCheckItem', 'read', 'GET', '/cards/:card/checkItem/:checkItem'),
  route('changeCardCheckItem', 'write', 'PUT', '/cards/:card/checkItem/:checkItem'),
  route(
    'changeCardCheckItem',
    'write',
    'PUT',
    '/cards/:card/checklist/:checklist/checkItem/:checkItem'
  ),
  route('removeCardCheckItem', 'write', 'DELETE', '/cards/:card/checkItem/:checkItem'),
  route('cardMembers', 'read', 'GET', '/cards/:card/members'),
  route('addCardMember', 'write', 'POST', '/cards/:card/idMembers'),
  route('addCardMember', 'write', 'POST', '/cards/:card/members'),
  route('removeCardMember', 'write', 'DELETE', '/cards/:card/idMembers/:member'),
  route('removeCardMember', 'write', 'DELETE', '/cards/:card/members/:member'),
  route('cardActions', 'read', 'GET', '/cards/:card/actions'),
  route('addComment', 'write', 'POST', '/cards/:card/actions/comments'),
  route('changeComment', 'write', 'PUT', '/cards/:card/actions/:action/comments'),
  route('removeComment', 'write', 'DELETE', '/cards/:card/actions/:action/comments'),
  route('addCardLabel', 'write', 'POST', '/cards/:card/idLabels'),
  route('removeCardLabel', 'write', 'DELETE', '/cards/:card/idLabels/:label'),
  route('addNewCardLabel', 'write', 'POST', '/cards/:card/labels'),
  route('card', 'public', 'GET', '/cards/:card'),
  route('changeCard', 'write', 'PUT', '/cards/:card'),
  route('removeCard', 'write', 'DELETE', '/cards/:card'),
  route('cardField', 'public', 'GET', '/cards/:card/:field'),
  route('changeCardField', 'write', 'PUT', '/cards/:card/:field'),

  route('addLabel', 'write', 'POST', '/labels'),
  route('label', 'public', 'GET', '/labels/:label'),
  route('changeLabel', 'write', 'PUT', '/labels/:label'),
  route('removeLabel', 'write', 'DELETE', '/labels/:label'),
  route('labelField', 'public', 'GET', '/labels/:label/:field'),
  route('changeLabelField', 'write', 'PUT', '/labels/:label/:field'),

  route('addCustomField', 'write', 'POST', '/customFields'),
  route('customField', 'public', 'GET', '/customFields/:customField'),
  route('changeCustomField', 'write', 'PUT', '/customFields/:customField'),
  route('removeCustomField', 'write', 'DELETE', '/customFields/:customField'),
  route('options', 'public', 'GET', '/customFields/:customField/options'),
  route('addOption', 'write', 'POST', '/customFields/:customField/options'),
  route('option', 'public', 'GET', '/customFields/:customField/options/:option'),
  route('removeOption', 'write', 'DELETE', '/customFields/:customField/options/:option'),

  route('addChecklist', 'write', 'POST', '/checklists'),
  route('checklistItems', 'read', 'GET', '/checklists/:checklist/checkItems'),
  route('addCheckItem', 'write', 'POST', '/checklists/:checklist/checkItems'),
  route('checkItem', 'read', 'GET', '/checklists/:checklist/checkItems/:checkItem'),
  route('removeCheckItem', 'write', 'DELETE', '/checklists/:checklist/checkItems/:checkItem'),
  route('checklistBoard', 'read', 'GET', '/checklists/:checklist/board'),
  route('checklistCards', 'read', 'GET', '/checklists/:checklist/cards'),
  route('checklist', 'read', 'GET', '/checklists/:checklist'),
  route('changeChecklist', 'write', 'PUT', '/checklists/:checklist'),
  route('removeChecklist', 'write', 'DELETE', '/checklists/:checklist'),
  route('checklistField', 'read', 'GET', '/checklists/:checklist/:field'),
  route('changeChecklistField', 'write', 'PUT', '/checklists/:checklist/:field'),

  route('action', 'read', 'GET', '/actions/:action'),
  route('changeAction', 'write', 'PUT', '/actions/:action'),
  route('removeAction', 'write', 'DELETE', '/actions/:action'),
  route('changeActionText', 'write', 'PUT', '/actions/:action/text'),

  route('addWebhook', 'read', 'POST', '/webhooks'),
  route('webhook', 'read', 'GET', '/webhooks/:webhook'),
  route('changeWebhook', 'read', 'PUT', '/webhooks/:webhook'),
  route('removeWebhook', 'read', 'DELETE', '/webhooks/:webhook'),
  route('webhookField', 'read', 'GET', '/webhooks/:webhook/:field')
] as const satisfies readonly ApiRoute[]

export type HandlerName = (typeof API_ROUTES)[number]['name']
