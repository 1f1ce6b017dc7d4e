const PATH = '/billing/contracts/65b000000000000000000001';
const headers = { Authorization: 'Bearer story' };

export default { title: 'Contract' };

/** A button that deletes the contract, and shows the status. */
export const Deletion = {
  render() {
    const button = document.createElement('button');
    button.textContent = 'Delete';
    const output = document.createElement('output');
    button.addEventListener('click', async () => {
      const { status } = await fetch(PATH, { method: 'DELETE', headers });
      output.append(`${status} `);
    });
    const story = document.createElement('section');
    story.append(button, output);
    return story;
  },
};
