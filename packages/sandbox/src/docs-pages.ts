/** Pages of the docs to which the sandbox links. */
export type DocsPages = ReturnType<typeof readDocsPages>

/**
 * Returns the URLs of the pages of the docs to which the sandbox links, such as
 * `https://docs.example/pix/behaviour/errors.html` for the docs at `https://docs.example/pix`.
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

  // Without a slash at its end, a relative path would replace the last segment.
  const folder = new URL(base)
  if (!folder.pathname.endsWith('/')) folder.pathname += '/'
  const page = (path: string) => new URL(path, folder).href
  return {
    home: page('.'),
    /** A form that sends a transfer from the browser. */
    form: page('operations/createTransfer.html#try-it'),
    /** The error catalogue; each code has an anchor. */
    errors: page('behaviour/errors.html'),
  }
}
