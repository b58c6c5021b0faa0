import type { CardParts } from '../records/card-parts.ts'
import { urlSlug } from '../records/url-slug.ts'
import type { CardRow } from '../store/rows.ts'
import { type AttachmentView, presentCover } from './attachment.ts'
import { presentLabel } from './label.ts'

/** All fields of a card of Trello's API; text fields that we have no values for are empty. */
export function presentCard(parts: CardParts, view: AttachmentView): Record<string, unknown> {
  const { card, labels, counts } = parts
  const shortUrl = `${view.baseUrl}/c/${card.short_link}`
  const lastAction = counts.lastAction ?? ''
  return {
    id: card.id,
    badges: badgesOf(parts),
    checkItemStates: [],
    closed: card.closed === 1,
    dueComplete: card.due_complete === 1,
    dateLastActivity: lastAction > card.changed_at ? lastAction : card.changed_at,
    desc: card.description,
    descData: { emoji: {} },
    due: card.due,
    dueReminder: card.due_reminder,
    email: null,
    idBoard: card.board,
    idChecklists: counts.idChecklists,
    idList: card.list,
    idMembers: JSON.parse(card.members),
    idMembersVoted: [],
    idShort: card.number,
    idAttachmentCover: card.cover_attachment,
    labels: labels.map((label) => presentLabel(label)),
    idLabels: labels.map(({ id }) => id),
    manualCoverAttachment: card.cover_is_manual === 1,
    name: card.name,
    pos: card.pos,
    shortLink: card.short_link,
    shortUrl,
    start: card.start,
    subscribed: false,
    url: `${shortUrl}/${card.number}-${urlSlug(card.name)}`,
    cover: coverOf(parts, view),
    isTemplate: card.is_template === 1,
    cardRole: card.card_role,
    ...locationOf(card)
  }
}

function badgesOf({ card, attachments, counts }: CardParts): object {
  return {
    attachmentsByType: { trello: { board: 0, card: 0 } },
    location: card.location !== null,
    votes: 0,
    viewingMemberVoted: false,
    subscribed: false,
    fogbugz: '',
    checkItems: counts.checkItems,
    checkItemsChecked: counts.checkItemsChecked,
    checkItemsEarliestDue: counts.earliestDue,
    comments: counts.comments,
    attachments: attachments.length,
    description: card.description !== '',
    due: card.due,
    dueComplete: card.due_complete === 1,
    start: card.start
  }
}

function coverOf({ card, attachments }: CardParts, view: AttachmentView): object {
  const attachment = attachments.find(({ id }) => id === card.cover_attachment)
  return presentCover(card, attachment, view)
}

/** Only of cards that have one. */
function locationOf({ location }: CardRow): object {
  return location === null ? {} : JSON.parse(location)
}
