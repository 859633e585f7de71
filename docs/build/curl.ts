/** A request as curl sends it, with the variables that the guides set. */
export function curlCommand(request: {
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly isSignIn: boolean
  /** The text of the body, if there is one. */
  readonly body?: string | undefined
}): string {
  const { method, target, isSignIn, body } = request
  const impliedMethod = body ? 'POST' : 'GET'
  const option = method === impliedMethod ? '' : `--request ${method} `
  const lines = [
    `curl ${option}"$BASE_URL${target}"`,
    isSignIn
      ? '--user "$CLIENT_KEY:$CLIENT_SECRET"'
      : '--header "authorization: Bearer $ACCESS_TOKEN"',
  ]
  if (body) lines.push("--header 'content-type: application/json'", `--data ${quoteForShell(body)}`)
  return `${lines.join(' \\\n  ')}\n`
}

/** A body as one argument of a shell. */
function quoteForShell(body: string): string {
  const indented = body.replaceAll('\n', '\n  ')
  return `'${indented.replaceAll("'", "'\\''")}'`
}
