const SHORT_PATHS = 'guides/what-is-not-known.html#short-paths'

/** Pages that moved, and where their text is now. A test follows each link. */
const MOVED: Readonly<Record<string, string>> = {
  'behaviour/index.html': 'operations/index.html#resources',
  'guides/glossary.html': 'guides/pix-primer.html#terms-of-pix',
  'guides/other-clients.html': 'guides/client.html#another-client',
  'guides/receiving-webhooks.html': 'guides/webhooks.html',
  'guides/short-paths.html': SHORT_PATHS,
  'guides/versions.html': 'guides/upgrading.html',
  'guides/where-it-runs.html': 'guides/connections.html',
  'operations/guideCheckCode.html': SHORT_PATHS,
  'operations/guideCheckKey.html': SHORT_PATHS,
  'operations/guideCreateTransfer.html': SHORT_PATHS,
  'operations/guideCreateWebhook.html': SHORT_PATHS,
  'operations/guideListWebhooks.html': SHORT_PATHS,
}

/**
 * Small pages at the addresses that pages had before, so that links in old reports and bookmarks
 * still work. Each rule of the checker had a page of its own.
 *
 * @param rules the ids of the rules
 */
export function redirects(rules: readonly string[]): Record<string, string> {
  const pages: Record<string, string> = {}
  for (const [from, to] of Object.entries(MOVED)) pages[from] = redirectPage(toParent(to))

  for (const id of rules) {
    const to = `rules/${readSubject(id)}.html#${id}`
    pages[`rules/${id}.html`] = redirectPage(toParent(to))
  }
  return pages
}

/** The first word of a rule's id, which names its page. */
function readSubject(rule: string): string {
  const [subject = rule] = rule.split('-', 1)
  return subject
}

/** An address from a folder of the site, as all pages that moved are in one. */
function toParent(address: string): string {
  return `../${address}`
}

/**
 * A page that leads from an old address to the new one. An anchor in the address that the reader
 * opened, such as `#once`, replaces the anchor of the new address.
 */
function redirectPage(to: string): string {
  const [page] = to.split('#')
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>This page has moved</title>
<meta name="robots" content="noindex">
<script>location.replace(location.hash ? '${page}' + location.hash : '${to}')</script>
<meta http-equiv="refresh" content="0; url=${to}">
<p>This page has moved: <a href="${to}">${to}</a></p>
</html>
`
}
