/**
 * Where the site is published, if known: canonical links and the site map need the whole address.
 */
export const address = process.env.DOCS_URL && new URL(process.env.DOCS_URL)

/** The path of the site on its host, with a slash at its end. */
export const base = address ? address.pathname : '/'
