/** A card as events of publication tell it. */
export interface EventCard {
  readonly id: string
  readonly slug: string
  readonly title: string
}

/** Cards that the public sees now, sees no more, or sees otherwise than before. */
export interface PublicationChanges {
  readonly published: readonly EventCard[]
  readonly unpublished: readonly EventCard[]
  readonly updated: readonly EventCard[]
}

export interface EventBoard {
  readonly id: string
  readonly slug: string
  readonly name: string
  /** Of what the public sees. */
  readonly revision: number
}

/** Names of events, the first of which with cards is the type of a delivery. */
export const PUBLICATION_EVENTS = ['publish', 'unpublish', 'update'] as const

export type PublicationEvent = (typeof PUBLICATION_EVENTS)[number]

const LISTS = { publish: 'published', unpublish: 'unpublished', update: 'updated' } as const

/** Of each list; with these, a body has at most 64 KiB. */
const MAX_CARDS = 20
const MAX_CHARACTERS = 100

export interface EventView {
  readonly board: EventBoard
  /** Events that the receiver wants; all if it is empty. */
  readonly events: readonly string[]
  /** Of the service. */
  readonly baseUrl: string
  readonly time: string
}

/** The body for one receiver; undefined if nothing happened that it wants to know. */
export function publicationBody(changes: PublicationChanges, view: EventView): string | undefined {
  const { board, events, time } = view
  const isWanted = (event: PublicationEvent) => events.length === 0 || events.includes(event)
  const wanted = (event: PublicationEvent) => (isWanted(event) ? changes[LISTS[event]] : [])
  const type = PUBLICATION_EVENTS.find((event) => wanted(event).length > 0)
  if (type === undefined) return undefined
  const lists = PUBLICATION_EVENTS.map((event) => [LISTS[event], wanted(event)] as const)
  const data = {
    board: { ...board, name: cut(board.name) },
    ...Object.fromEntries(lists.map(([name, cards]) => [name, shownCards(cards, name, view)])),
    counts: Object.fromEntries(lists.map(([name, cards]) => [name, cards.length]))
  }
  return JSON.stringify({ type, timestamp: time, data })
}

function shownCards(
  cards: readonly EventCard[],
  list: string,
  { board, baseUrl }: EventView
): object[] {
  return cards.slice(0, MAX_CARDS).map(({ id, slug, title }) => {
    const url = `${baseUrl}/content/${encodeURIComponent(board.slug)}/cards/${encodeURIComponent(slug)}`
    return { id, slug, title: cut(title), ...(list !== LISTS.unpublish && { url }) }
  })
}

function cut(text: string): string {
  const characters = [...text]
  return characters.length <= MAX_CHARACTERS
    ? text
    : `${characters.slice(0, MAX_CHARACTERS - 1).join('')}…`
}
