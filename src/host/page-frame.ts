import type { Frame } from '../kernel/page.ts'
import type { Service } from '../kernel/service.ts'
import type { Configuration } from './configuration-reader.ts'

/** Name of the console among the services. */
export const CONSOLE = 'console'

export interface FrameContext {
  configuration: Configuration
  /** URLs on this machine of the console and of services that already listen, by name. */
  urls: ReadonlyMap<string, string>
  /** Whether only this machine is meant to reach the process, as far as the settings tell. */
  access: { readonly loopback: boolean }
  /** Names of services whose page for people is disabled. */
  withoutPage: ReadonlySet<string>
}

/**
 * The top bar for pages of a service, or of the console, at the URL that the reader used. Behind a
 * proxy only those services have links whose public URLs are set.
 */
export function frameFor(context: FrameContext, name: string, base: string): Frame {
  const { configuration, access, withoutPage } = context
  const find = urlFinder(context, name, base)
  const console = configuration.console ? find(CONSOLE) : undefined
  return {
    service: name === CONSOLE ? undefined : name,
    console,
    services: configuration.services.flatMap((service) => {
      if (withoutPage.has(service.name)) return []
      // The console signs the browser in.
      const needsSignIn =
        service.hasSignIn === 'always' || (service.hasSignIn === 'outside' && !access.loopback)
      const isOpened = needsSignIn && service.name !== name
      const href =
        isOpened && console !== undefined
          ? `${console}/open/${service.name}`
          : pageOf(service, find(service.name), console)
      return href === undefined ? [] : [{ name: service.name, href }]
    }),
    isReachable: !access.loopback
  }
}

/** The page for people of a service: its own, or one of the console. */
function pageOf(
  { name, pagePath }: Pick<Service, 'name' | 'pagePath'>,
  url: string | undefined,
  console: string | undefined
): string | undefined {
  if (pagePath === undefined) return console === undefined ? undefined : `${console}/${name}/`
  return url === undefined ? undefined : url + pagePath
}

function urlFinder({ configuration, urls }: FrameContext, name: string, base: string) {
  const { publicUrl } = configuration
  const { hostname, port } = new URL(base)
  const ownUrl = urls.get(name)
  const isDirect = publicUrl[name] === undefined && ownUrl?.endsWith(`:${port}`) === true
  return (wanted: string): string | undefined => {
    const told = publicUrl[wanted]
    if (told !== undefined) return told.replace(/\/+$/, '')
    const url = urls.get(wanted)
    return isDirect && url !== undefined ? `http://${hostname}:${new URL(url).port}` : undefined
  }
}
