// Writes the notes of a CHANGELOG: the text of each changeset and nothing else. The hash of a commit is of no use to a user, and neither is
// a list of updated siblings: all packages have one version.
module.exports = {
  getReleaseLine: async ({ summary }) => {
    const [first, ...rest] = summary.trim().split('\n');
    return `- ${first}${rest.map((line) => `\n${line === '' ? '' : `  ${line}`}`).join('')}`;
  },
  getDependencyReleaseLine: async () => '',
};
