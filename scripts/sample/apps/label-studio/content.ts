/** Drawings beside this file; they become the pictures to label. */
export const SCENES = ['harbour', 'street', 'market', 'park'];

const SCENE_LABELS = {
  Airplane: '#8D99AE',
  Car: '#2D6CC0',
  Boat: '#E4572E',
  Buoy: '#7A4FA0',
  Person: '#F2A33A',
  Bicycle: '#2F7F5F',
  Dog: '#8A5A3C',
  Kite: '#C8453B',
};

const REVIEW_LABELS = { Place: '#2D6CC0', Dish: '#2F7F5F', Praise: '#F2A33A', Complaint: '#C8453B' };

function labels(colours: Record<string, string>): string {
  const each = Object.entries(colours);
  return each.map(([name, colour]) => `<Label value="${name}" background="${colour}"/>`).join('');
}

/** The labelling interface of the pictures, with stronger colours than those handed out by default. */
export const SCENE_CONFIG = `<View>
  <Image name="image" value="$image"/>
  <RectangleLabels name="label" toName="image" strokeWidth="3">${labels(SCENE_LABELS)}</RectangleLabels>
</View>`;

const REVIEW_CONFIG = `<View>
  <Labels name="label" toName="text">${labels(REVIEW_LABELS)}</Labels>
  <Text name="text" value="$text"/>
</View>`;

const CHOICE_CONFIG = `<View>
  <Text name="text" value="$text"/>
  <Choices name="topic" toName="text"><Choice value="Billing"/><Choice value="Delivery"/></Choices>
</View>`;

interface Review {
  text: string;
  /** Marked spans: a label and the words that carry it. */
  spans: [string, string][];
}

const REVIEWS: Review[] = [
  {
    text:
      'We found the Old Ropewalk by accident, coming in from the rain. The fish soup was rich and full of saffron, ' +
      'and the waiter remembered that one of us cannot eat nuts. The pear tart was sold out by eight, which is a pity, ' +
      'but the rye bread with brown butter made up for it. Book a table by the window: you look straight onto the quay.',
    spans: [
      ['Place', 'Old Ropewalk'],
      ['Dish', 'fish soup'],
      ['Praise', 'rich and full of saffron'],
      ['Praise', 'remembered that one of us cannot eat nuts'],
      ['Dish', 'pear tart'],
      ['Complaint', 'sold out by eight'],
      ['Dish', 'rye bread with brown butter'],
      ['Place', 'quay'],
    ],
  },
  {
    text:
      'Café Meridian is loud at noon and the queue reaches the tram stop, yet the mushroom dumplings are worth it. ' +
      'Ours came cold the first time; they were replaced within minutes and without a word.',
    spans: [
      ['Place', 'Café Meridian'],
      ['Complaint', 'loud at noon'],
      ['Dish', 'mushroom dumplings'],
    ],
  },
  {
    text:
      'A small terrace above the boat sheds, four tables, one cook. The grilled leeks are the best thing on the menu. ' +
      'Bring cash and a jumper, because the wind comes up after sunset.',
    spans: [
      ['Place', 'terrace above the boat sheds'],
      ['Dish', 'grilled leeks'],
    ],
  },
  {
    text:
      'The breakfast at Lighthouse Inn has not changed in ten years and nobody wants it to. Plum jam, warm rolls, ' +
      'coffee from a tall tin pot. The stairs are steep and there is no lift.',
    spans: [
      ['Place', 'Lighthouse Inn'],
      ['Dish', 'Plum jam'],
      ['Complaint', 'no lift'],
    ],
  },
];

/** A task as the import takes it: data and, where somebody has been at work, a finished annotation. */
interface Task {
  data: { text: string };
  annotations?: { result: object[] }[];
}

export interface Project {
  title: string;
  description: string;
  color: string;
  label_config: string;
  tasks: Task[];
}

function reviewTask({ text, spans }: Review): Task {
  const result = spans.map(([label, words], index) => {
    const start = text.indexOf(words);
    const value = { start, end: start + words.length, text: words, labels: [label] };
    return { id: `span-${index}`, from_name: 'label', to_name: 'text', type: 'labels', value };
  });
  return { data: { text }, annotations: [{ result }] };
}

function choiceTask(text: string, choice?: string): Task {
  if (choice === undefined) return { data: { text } };
  const result = { from_name: 'topic', to_name: 'text', type: 'choices', value: { choices: [choice] } };
  return { data: { text }, annotations: [{ result: [result] }] };
}

export const PROJECTS: Project[] = [
  {
    title: 'Support mail by topic',
    description: 'One topic a message, so that the right desk answers first.',
    color: '#F6C358',
    label_config: CHOICE_CONFIG,
    tasks: [
      choiceTask('The second invoice for October charges us for a seat we gave up in July.', 'Billing'),
      choiceTask('The parcel has been "arriving today" since Tuesday.', 'Delivery'),
      choiceTask('Can the receipt carry our new address?', 'Billing'),
      choiceTask('Nobody rang, yet the card says we were out.'),
      choiceTask('My voucher was taken but the price did not change.'),
    ],
  },
  {
    title: 'Museum captions',
    description: 'Are the wall texts short enough for a standing reader?',
    color: '#7DB8A4',
    label_config: CHOICE_CONFIG,
    tasks: [
      choiceTask('A ship in a bottle, made by a lamplighter over two winters.', 'Delivery'),
      choiceTask('The chart room as it stood on the day the ferry line closed.', 'Delivery'),
    ],
  },
  {
    title: 'Restaurant reviews',
    description: 'What guests praise, what they miss and where they had it.',
    color: '#617ADA',
    label_config: REVIEW_CONFIG,
    tasks: REVIEWS.map(reviewTask),
  },
];
