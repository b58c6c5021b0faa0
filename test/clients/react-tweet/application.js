import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { Tweet } from 'react-tweet'

/** `?site=<base URL>&id=<id of a post>&id=…` */
const parameters = new URLSearchParams(location.search)
const site = parameters.get('site')
const posts = parameters
  .getAll('id')
  .map((id) =>
    createElement(
      'section',
      { key: id, id: `post-${id}` },
      createElement(Tweet, { id, apiUrl: `${site}/api/tweet/${encodeURIComponent(id)}` })
    )
  )
createRoot(document.getElementById('root')).render(posts)
