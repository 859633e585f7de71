/** Pages of the docs to which the sandbox links. */
export type DocsPages = ReturnType<typeof readDocsPages>

/**
 * Returns the URLs of the pages of the docs to which the sandbox links.
 *
 * @param docs the base URL of the docs, with or without a slash at its end
 * @throws {TypeError} if it is not an http or https URL
 */
export function readDocsPages(docs: string) {
  const base = URL.parse(docs)
  const isWebAddress = base?.protocol === 'http:' || base?.protocol === 'https:'
  if (!base || !isWebAddress) {
    throw new TypeError(`the address of the docs must be an http or https URL, got "${docs}"`)
  }

  const isFolder = base.pathname.endsWith('/')
  const home = new URL(isFolder ? '.' : `${base.pathname}/`, base)
  const page = (path: string) => new URL(path, home).href
  return {
    home: page('.'),
    /** A form that sends a transfer from the browser. */
    form: page('operations/createTransfer.html#try-it'),
    /** The error catalogue; each code has an anchor. */
    errors: page('behaviour/errors.html'),
  }
}
