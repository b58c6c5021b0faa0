import { prefsOf } from '../records/board-prefs.ts'
import { createdAt } from '../records/ids.ts'
import { labelNamesOf } from '../records/label-colors.ts'
import { urlSlug } from '../records/url-slug.ts'
import { workspaceOf } from '../records/workspace.ts'
import type { BoardRow } from '../store/rows.ts'
import { presentMembership } from './member.ts'

/** Of a board that is sent alone. */
export const BOARD_FIELDS = [
  'id',
  'name',
  'desc',
  'descData',
  'closed',
  'idOrganization',
  'idEnterprise',
  'pinned',
  'url',
  'shortUrl',
  'prefs',
  'labelNames'
] as const

export interface BoardView {
  readonly baseUrl: string
  /** The viewer sees the published part only, and no members. */
  readonly isPublished: boolean
}

/** All fields of a board of Trello's API. */
export function presentBoard(
  board: BoardRow,
  { baseUrl, isPublished }: BoardView
): Record<string, unknown> {
  const shortUrl = `${baseUrl}/b/${board.short_link}`
  const slug = urlSlug(board.name)
  const time = isPublished ? board.public_changed_at : board.changed_at
  return {
    id: board.id,
    name: board.name,
    desc: board.description,
    descData: { emoji: {} },
    closed: board.closed === 1,
    idOrganization: workspaceOf(board.owner),
    idEnterprise: null,
    pinned: false,
    url: slug === '' ? shortUrl : `${shortUrl}/${slug}`,
    shortUrl,
    prefs: prefsOf(board.permission, board.prefs),
    labelNames: labelNamesOf(board.label_names),
    shortLink: board.short_link,
    dateLastActivity: time,
    dateLastView: time,
    datePluginDisable: null,
    dateClosed: null,
    starred: false,
    subscribed: false,
    ...(!isPublished && { idMemberCreator: board.owner }),
    memberships: isPublished ? [] : [presentMembership(board.id, board.owner)],
    powerUps: [],
    idTags: [],
    creationMethod: null,
    templateGallery: null,
    enterpriseOwned: false,
    idBoardSource: null,
    premiumFeatures: [],
    limits: {},
    dateCreated: createdAt(board.id)
  }
}
