/**
 * Stores the body of an event under its id, once: here by a PUT to a service of yours, for which
 * the same id twice is no error. Replace it by your database.
 */
export async function keep(id: string, body: Uint8Array): Promise<void> {
  const url = `${process.env.INBOX_URL}/${encodeURIComponent(id)}`
  const response = await fetch(url, { method: 'PUT', body: new TextDecoder().decode(body) })
  if (!response.ok) throw new Error(`the inbox returned ${response.status}`)
}
