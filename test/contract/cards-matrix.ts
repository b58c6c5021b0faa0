import assert from 'node:assert/strict'
import type { ApiRoute, HandlerName } from '../../src/services/cards/api/route-table.ts'
import { type CardRequest, type Fields, imageForm, type World } from '../support/cards-world.ts'

/** How a route is used with objects of a board; every id of it comes from the world. */
interface Sample {
  /** Values of parameters of the path that are no ids. */
  path?: Readonly<Record<string, string>>
  body?: (world: World) => Fields
  /** Sends an image with the body, as a form. */
  file?: true
}

const NAMED: Sample = { body: () => ({ name: 'Changed' }) }
const FIELD: Sample = { path: { field: 'name' } }
const NEW_NAME: Sample = { ...FIELD, body: () => ({ value: 'Changed' }) }

/** Every handler of the compatible API; a new one must be added here. */
export const SAMPLES: Readonly<Record<HandlerName, Sample>> = {
  batch: { body: ({ card }) => ({ urls: `/cards/${card},/cards/${card}/list` }) },
  search: { body: () => ({ query: 'Bridge' }) },
  memberBoards: {},
  memberCards: {},
  memberOrganizations: {},
  member: {},
  memberField: { path: { field: 'username' } },
  tokenMember: {},
  tokenWebhooks: {},
  addTokenWebhook: {
    body: ({ list, callback }) => ({ idModel: list, callbackURL: callback, active: false })
  },
  tokenWebhook: {},
  changeTokenWebhook: { body: ({ draft }) => ({ idModel: draft }) },
  removeTokenWebhook: {},
  token: {},
  removeToken: {},
  organizationBoards: {},
  organizationMembers: {},
  organization: {},

  addBoard: NAMED,
  boardLists: { path: { filter: 'open' } },
  addBoardList: NAMED,
  boardCards: {},
  boardCardsOrCard: {},
  boardLabels: {},
  addBoardLabel: { body: () => ({ name: 'New', color: 'red' }) },
  boardFields: {},
  boardMembers: {},
  boardMemberships: {},
  boardChecklists: {},
  boardActions: {},
  board: { body: () => ({ cards: 'all', lists: 'all', card_attachments: true }) },
  changeBoard: NAMED,
  removeBoard: {},
  boardField: FIELD,
  changeBoardField: NEW_NAME,

  addList: { body: ({ board }) => ({ name: 'New', idBoard: board }) },
  listCards: { path: { filter: 'open' } },
  addListCard: {
    body: ({ label, member }) => ({ name: 'New', idLabels: label, idMembers: member })
  },
  archiveAllCards: {},
  moveAllCards: { body: ({ board, draftList }) => ({ idBoard: board, idList: draftList }) },
  listBoard: {},
  listActions: {},
  list: {},
  changeList: { body: ({ board }) => ({ name: 'Changed', idBoard: board }) },
  listField: FIELD,
  changeListField: { path: { field: 'idBoard' }, body: ({ board }) => ({ value: board }) },

  addCard: {
    body: ({ list, label, member, otherCard }) => ({
      name: 'New',
      idList: list,
      idLabels: [label],
      idMembers: [member],
      idCardSource: otherCard
    })
  },
  cardBoard: {},
  cardList: {},
  cardAttachments: {},
  addAttachment: { file: true },
  cardAttachment: {},
  changeAttachment: NAMED,
  removeAttachment: {},
  downloadAttachment: {},
  downloadPreview: {},
  cardItems: {},
  changeItem: { body: ({ option }) => ({ idValue: option }) },
  changeItems: {
    body: ({ field, option, textField }) => ({
      customFieldItems: [
        { idCustomField: textField, value: { text: 'x' } },
        { idCustomField: field, idValue: option }
      ]
    })
  },
  cardChecklists: {},
  addCardChecklist: { body: ({ checklist }) => ({ idChecklistSource: checklist }) },
  removeCardChecklist: {},
  cardCheckItem: {},
  changeCardCheckItem: { body: ({ checklist }) => ({ state: 'complete', idChecklist: checklist }) },
  removeCardCheckItem: {},
  cardMembers: {},
  addCardMember: { body: ({ member }) => ({ value: member }) },
  removeCardMember: {},
  cardActions: {},
  addComment: { body: () => ({ text: 'More' }) },
  changeComment: { body: () => ({ text: 'Changed' }) },
  removeComment: {},
  addCardLabel: { body: ({ label }) => ({ value: label }) },
  removeCardLabel: {},
  addNewCardLabel: { body: () => ({ name: 'New', color: 'blue' }) },
  card: { body: () => ({ attachments: true, customFieldItems: true }) },
  changeCard: {
    body: ({ board, draftList, label, member, attachment }) => ({
      name: 'Changed',
      idBoard: board,
      idList: draftList,
      idLabels: [label],
      idMembers: member,
      idAttachmentCover: attachment
    })
  },
  removeCard: {},
  cardField: FIELD,
  changeCardField: { path: { field: 'idList' }, body: ({ draftList }) => ({ value: draftList }) },

  addLabel: { body: ({ board }) => ({ name: 'New', color: 'red', idBoard: board }) },
  label: {},
  changeLabel: NAMED,
  removeLabel: {},
  labelField: FIELD,
  changeLabelField: NEW_NAME,

  addCustomField: {
    body: ({ board }) => ({ idModel: board, modelType: 'board', name: 'New', type: 'text', pos: 1 })
  },
  customField: {},
  changeCustomField: NAMED,
  removeCustomField: {},
  options: {},
  addOption: { body: () => ({ value: { text: 'Small' }, pos: 'bottom' }) },
  option: {},
  removeOption: {},

  addChecklist: {
    body: ({ card, checklist }) => ({ idCard: card, name: 'New', idChecklistSource: checklist })
  },
  checklistItems: {},
  addCheckItem: NAMED,
  checkItem: {},
  removeCheckItem: {},
  checklistBoard: {},
  checklistCards: {},
  checklist: {},
  changeChecklist: NAMED,
  removeChecklist: {},
  checklistField: FIELD,
  changeChecklistField: NEW_NAME,

  action: {},
  changeAction: { body: () => ({ text: 'Changed' }) },
  removeAction: {},
  changeActionText: { body: () => ({ value: 'Changed' }) },

  addWebhook: {
    body: ({ card, callback }) => ({ idModel: card, callbackURL: callback, active: false })
  },
  webhook: {},
  changeWebhook: { body: ({ draftList }) => ({ idModel: draftList, description: 'Changed' }) },
  removeWebhook: {},
  webhookField: { path: { field: 'idModel' } }
}

/** Parameters of paths that are ids. */
const IDS: Readonly<Record<string, keyof World>> = {
  member: 'member',
  token: 'token',
  organization: 'organization',
  board: 'board',
  list: 'list',
  card: 'card',
  attachment: 'attachment',
  preview: 'preview',
  fileName: 'fileName',
  customField: 'field',
  option: 'option',
  checklist: 'checklist',
  checkItem: 'checkItem',
  action: 'comment',
  label: 'label',
  webhook: 'webhook'
}

export type TableRoute = ApiRoute & { readonly name: HandlerName }

/** The path with ids of one world, the body with ids of another. */
export function requestOf(route: TableRoute, path: World, body: World): CardRequest {
  const { method } = route
  const { file, body: fieldsOf } = SAMPLES[route.name]
  const fields = fieldsOf?.(body)
  return {
    method,
    path: pathOf(route, path),
    body: file === undefined ? (fields ?? (method === 'GET' ? undefined : {})) : imageForm()
  }
}

function pathOf({ name, pattern }: TableRoute, world: World): string {
  const segments = pattern.split('/').map((segment) => {
    if (!segment.startsWith(':')) return segment
    const parameter = segment.slice(1)
    const id = IDS[parameter]
    if (id !== undefined) return world[id]
    // One route takes the id of a card where others take a filter.
    if (name === 'boardCardsOrCard') return world.card
    return SAMPLES[name].path?.[parameter] ?? assert.fail(`no sample of ${parameter} of ${name}`)
  })
  return `/1${segments.join('/')}`
}

/** Keys of the world whose value changes what `of` returns. */
export function keysIn(mine: World, theirs: World, of: (world: World) => unknown): (keyof World)[] {
  const own = JSON.stringify(of(mine))
  const keys = Object.keys(mine) as (keyof World)[]
  return keys.filter((key) => JSON.stringify(of({ ...mine, [key]: theirs[key] })) !== own)
}

export interface Variant {
  title: string
  foreign: CardRequest
  /** The same with ids that no object has. */
  unknown: CardRequest
}

/**
 * Requests of one who may see `mine` for what is in `theirs`: each id of the path and of the body
 * alone, and all ids of the path; `as` spells the ids in another way.
 */
export function variantsOf(
  route: TableRoute,
  worlds: { mine: World; theirs: World; unknown: World },
  as: (world: World) => World = (world) => world
): { path: Variant[]; body: Variant[] } {
  const { mine } = worlds
  const theirs = as(worlds.theirs)
  const unknown = as(worlds.unknown)
  const isForeign = (key: keyof World) => mine[key] !== worlds.theirs[key] && key !== 'fileName'
  const pathKeys = keysIn(mine, theirs, (world) => pathOf(route, world)).filter(isForeign)
  const bodyKeys = keysIn(mine, theirs, (world) => SAMPLES[route.name].body?.(world)).filter(
    isForeign
  )
  const inPath = pathKeys.map((key) => ({
    title: `${key} of the path`,
    foreign: requestOf(route, { ...mine, [key]: theirs[key] }, mine),
    unknown: requestOf(route, { ...mine, [key]: unknown[key] }, mine)
  }))
  const all = {
    title: 'all ids of the path',
    foreign: requestOf(route, theirs, mine),
    unknown: requestOf(route, unknown, mine)
  }
  return {
    path: pathKeys.length > 1 ? [...inPath, all] : inPath,
    body: bodyKeys.map((key) => ({
      title: `${key} of the body`,
      foreign: requestOf(route, mine, { ...mine, [key]: theirs[key] }),
      unknown: requestOf(route, mine, { ...mine, [key]: unknown[key] })
    }))
  }
}
