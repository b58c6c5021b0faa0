/** Shorter and with fewer characters than the names of imported accounts. */
const NEW_USER_NAME = /^[A-Za-z0-9_]{1,15}$/

/** First segments of paths: those that X does not give to users, and those of this service. */
const RESERVED: ReadonlySet<string> = new Set(
  `about account accounts activity all announcements anywhere api_rules api_terms apirules apps
  auth badges blog business buttons contacts devices direct_messages download downloads
  edit_announcements faq favorites find_sources find_users followers following friend_request
  friendrequest friends goodies help home i im_account inbox invitations invite jobs list login
  logo logout me media_signup mentions messages mockview newtwitter notifications nudge oauth
  phoenix_search positions privacy public_timeline related_tweets replies retweeted_of_mine
  retweets retweets_by_others rules saved_searches search sent sessions settings share signin
  signup similar_to statistics terms tos translate trends tweetbutton twttr
  update_discoverability users welcome who_to_follow widgets zendesk_auth
  api assets embed healthz media metrics oembed status statuses _headers _redirects`.split(/\s+/)
)

/** Whether a new account may have the name. */
export function isNewUserName(text: string): boolean {
  return NEW_USER_NAME.test(text) && !RESERVED.has(text.toLowerCase())
}
