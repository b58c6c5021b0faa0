/** The shortest reference from one file to a URL; the URL itself if they have no common root. */
export function relativeUrl(from: string, to: URL): string {
  const base = new URL(from)
  if (base.protocol !== to.protocol || base.host !== to.host) return to.href
  const rest = `${to.search}${to.hash}`
  if (base.pathname === to.pathname && base.search === to.search) return to.hash || '#'
  const here = base.pathname.split('/').slice(0, -1)
  const there = to.pathname.split('/')
  let shared = 0
  while (shared < here.length && shared < there.length - 1 && here[shared] === there[shared])
    shared++
  // File URLs that share only the root are not related, such as Windows drives.
  if (shared < 2 && base.protocol === 'file:' && here.length > 1) return to.href
  const steps = [...here.slice(shared).map(() => '..'), ...there.slice(shared)]
  const path = steps.join('/')
  return `${steps[0] === '..' ? '' : './'}${path}${rest}`
}
