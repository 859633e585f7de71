/** What the back end of this page says. */
export async function json<T>(path: string, init?: RequestInit): Promise<T> {
  const response = await fetch(path, init)
  if (!response.ok) throw new Error(`${path} returned ${response.status}, expected 200`)
  return response.json()
}
