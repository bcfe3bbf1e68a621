/** A node as Node-RED's flow file keeps it. */
export interface FlowNode {
  id: string;
  type: string;
  [property: string]: unknown;
}

const theme = (id: string, name: string, colors: Record<string, string>): FlowNode => ({
  id,
  type: 'ui-theme',
  name,
  colors,
  sizes: {
    density: 'default',
    pagePadding: '16px',
    groupGap: '16px',
    groupBorderRadius: '14px',
    widgetGap: '12px',
  },
});

const page = (id: string, name: string, icon: string, order: number, themeId: string): FlowNode => ({
  id,
  type: 'ui-page',
  name,
  ui: 'base',
  path: `/${name.toLowerCase()}`,
  icon,
  layout: 'grid',
  theme: themeId,
  breakpoints: [
    { name: 'Default', px: '0', cols: '3' },
    { name: 'Tablet', px: '576', cols: '6' },
    { name: 'Small Desktop', px: '768', cols: '9' },
    { name: 'Desktop', px: '1024', cols: '12' },
  ],
  order,
  className: '',
  visible: 'true',
  disabled: 'false',
});

const group = (id: string, name: string, pageId: string, width: number, order: number): FlowNode => ({
  id,
  type: 'ui-group',
  name,
  page: pageId,
  width: String(width),
  height: '1',
  order,
  showTitle: true,
  className: '',
  visible: 'true',
  disabled: 'false',
  groupType: 'default',
});

/** The dashboard's two pages and their groups of widgets. */
export const DASHBOARD: FlowNode[] = [
  {
    id: 'base',
    type: 'ui-base',
    name: 'Greenhouse',
    path: '/dashboard',
    appIcon: '',
    includeClientData: true,
    acceptsClientConfig: ['ui-notification', 'ui-control'],
    showPathInSidebar: false,
    headerContent: 'page',
    navigationStyle: 'default',
    titleBarStyle: 'default',
    showReconnectNotification: false,
    notificationDisplayTime: 1,
    showDisconnectNotification: false,
    allowInstall: false,
  },
  theme('day', 'Day', {
    surface: '#2f6b4f',
    primary: '#2f6b4f',
    bgPage: '#eef3ec',
    groupBg: '#ffffff',
    groupOutline: '#d5e0d3',
  }),
  theme('night', 'Night', {
    surface: '#10231c',
    primary: '#6fcf97',
    bgPage: '#0b1713',
    groupBg: '#142b22',
    groupOutline: '#22443a',
  }),
  page('p-climate', 'Climate', 'thermometer', 1, 'day'),
  page('p-watering', 'Watering', 'water', 2, 'night'),
  group('g-now', 'Now', 'p-climate', 9, 1),
  group('g-roof', 'Roof', 'p-climate', 3, 2),
  group('g-day', 'Last 24 hours', 'p-climate', 12, 3),
  group('g-valves', 'Beds', 'p-watering', 6, 1),
  group('g-plan', 'Plan', 'p-watering', 6, 2),
];
