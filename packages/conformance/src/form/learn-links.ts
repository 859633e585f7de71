import { findDeclaredList } from '../contract/behaviour.ts'
import { stringAt, valueAt } from '../contract/json.ts'
import { isUrl } from './cursors.ts'
import { findNextTargets } from './link-header.ts'
import type { LinkedPage } from './linked-pages.ts'
import type { FormOperation, ListResponse, ServiceForm } from './service-form.ts'

/**
 * Learns from a page of a list that the service links the next one in a header Link, and remembers to which request the
 * links of the page lead: that in the header, and URLs in the body. Does nothing if the page shows a cursor where
 * the contract declares it.
 *
 * @param body The body of the page, as the service wrote it.
 */
export function learnLinks(
  operation: FormOperation,
  body: unknown,
  response: ListResponse,
  form: ServiceForm,
): void {
  const pages = findDeclaredList({ operation })?.pages
  if (!pages) return
  const pageBody = form.moveToDeclaredPlaces(operation, body)
  const isAtDeclaredPlace = valueAt(pageBody, pages.next) !== undefined
  if (isAtDeclaredPlace) return

  const targets = findNextTargets(response.headers.link)
  const inHeader = form.findLinkedPage(targets, response.path)
  if (inHeader && form.cursorPlace === undefined) form.learnLinkHeader()
  // The user may have said so, and this page proves it.
  if (form.isLinked && targets.length > 0) form.noteCursorPlace()

  const links = form.isLinked ? [inHeader] : listLinksOfBody(pageBody, operation, response, form)
  for (const link of links) {
    if (link) form.linkedPages.note(link, response.query)
  }
}

/** Lists the links at the place of the cursor or, if that is not known, at each place that may be it. */
function listLinksOfBody(
  body: unknown,
  operation: FormOperation,
  { path }: ListResponse,
  form: ServiceForm,
): readonly (LinkedPage | undefined)[] {
  const places =
    form.cursorPlace === undefined
      ? form.listCursorCandidates(operation.id, path, body).map(([pointer]) => pointer)
      : [form.cursorPlace]
  const urls = places.map((place) => stringAt(body, place) ?? '').filter(isUrl)
  return urls.map((url) => form.findLinkedPage([url], path))
}
