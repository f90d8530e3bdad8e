// The texts of the page in English, simplified Chinese and traditional Chinese.

const WORDS = {
  red: ["Red", "红方", "紅方"], black: ["Black", "黑方", "黑方"],
  newGame: ["New game", "新对局", "新對局"], open: ["Open", "打开", "開啟"], save: ["Save", "保存", "儲存"],
  setup: ["Set up", "摆局", "擺局"], settings: ["Settings", "设置", "設定"], close: ["Close", "关闭", "關閉"], cancel: ["Cancel", "取消", "取消"],
  first: ["First position", "起始局面", "起始局面"], back: ["Back", "后退", "後退"], next: ["Forward", "前进", "前進"], last: ["Last position", "最后局面", "最後局面"],
  flip: ["Turn the board", "翻转棋盘", "翻轉棋盤"], hint: ["Hint", "提示", "提示"], takeBack: ["Take back", "悔棋", "悔棋"], resign: ["Resign", "认输", "認輸"],
  board: ["Xiangqi board", "象棋棋盘", "象棋棋盤"], controls: ["Game navigation", "浏览对局", "瀏覽對局"],
  empty: ["empty", "空", "空"], canGo: ["can go here", "可走", "可走"], chosen: ["chosen", "已选", "已選"],
  state: ["Position", "局面", "局面"], diagram: ["A diagram, not a position of a game", "示意图，不能对局", "示意圖，不能對局"], engineTurn: ["It is chuhe’s turn to move.", "现在轮到楚河走棋。", "現在輪到楚河走棋。"],
  toMove: ["{side} to move", "轮到{side}走", "輪到{side}走"], check: ["check", "将军", "將軍"],
  thinking: ["chuhe is thinking…", "楚河思考中…", "楚河思考中…"], 
  offline: ["No connection to chuhe. The game is safe in this page; trying again…", "与楚河的连接中断。对局保存在本页中，正在重新连接…", "與楚河的連線中斷。對局保存在本頁中，正在重新連線…"],
  full: ["The server has no room for another page. Close one; trying again…", "服务器的页面数已达上限。请关闭一个页面，正在重试…", "伺服器的頁面數已達上限。請關閉一個頁面，正在重試…"],
  moved: ["The server was started again and has a new address: open the one that it shows. My games are kept there.", "服务器已重新启动，地址已改变。请打开它显示的新地址，“我的对局”仍在。", "伺服器已重新啟動，位址已改變。請開啟它顯示的新位址，「我的對局」仍在。"],
  loadingBoard: ["Loading…", "加载中…", "載入中…"], loadingEngine: ["The board is ready. Loading the engine…", "棋盘已就绪，正在加载引擎…", "棋盤已就緒，正在載入引擎…"],
  noBoard: ["The rules of the game cannot be loaded ({reason}). Trying again…", "无法加载规则（{reason}），正在重试…", "無法載入規則（{reason}），正在重試…"],
  noEngine: ["The engine cannot be loaded ({reason}). The board works without it; trying again…", "无法加载引擎（{reason}）。棋盘仍可使用，正在重试…", "無法載入引擎（{reason}）。棋盤仍可使用，正在重試…"],
  newVersion: ["A new version is available.", "有新版本。", "有新版本。"], reload: ["Reload; the game is kept", "更新（保留对局）", "更新（保留對局）"],
  moves: ["Moves", "着法", "著法"], noMoves: ["Play a move on the board, or open a game.", "请在棋盘上走棋，或打开棋谱。", "請在棋盤上走棋，或開啟棋譜。"],
  start: ["Start", "起始局面", "起始局面"], more: ["More moves", "其余着法", "其餘著法"],
  comment: ["Comment", "注释", "注釋"], commentOf: ["Comment on {move}", "{move} 的注释", "{move} 的注釋"], commentStart: ["Comment before the first move", "第一着之前的注释", "第一著之前的注釋"],
  marks: ["Marks", "评注符号", "評註符號"], promote: ["Promote variation", "设为主变", "設為主變"], remove: ["Delete from here", "删除此后着法", "刪除此後著法"], undo: ["Undo", "撤销", "復原"],
  undone: ["Undone.", "已撤销。", "已復原。"], typeMove: ["Type a move", "输入着法", "輸入著法"], typeHint: ["h2e2, C2=5, 炮二平五 …", "炮二平五、C2=5、h2e2 …", "炮二平五、C2=5、h2e2 …"], play: ["Play", "走", "走"],
  failed: ["{message}", "未能完成（{message}）。", "未能完成（{message}）。"], unreadable: ["{name}: {message}", "无法打开 {name}：{message}", "無法開啟 {name}：{message}"], noPuzzle: ["{message}", "部分习题无法识别。", "部分習題無法識別。"],
  analysis: ["Analysis", "分析", "分析"], lines: ["Lines", "变化数", "變化數"], addLine: ["Add the line as a variation", "将此变化加入棋谱", "將此變化加入棋譜"], depth: ["depth {n}", "深度{n}", "深度{n}"],
  nps: ["{n} nodes/s", "{n}节点/秒", "{n}節點/秒"], noSearch: ["The engine does not search positions with pawns on points that they never reach in a game.", "兵卒位置不合规则，引擎不分析此局面。", "兵卒位置不合規則，引擎不分析此局面。"],
  gameOver: ["The game is over.", "对局已结束。", "對局已結束。"], chances: ["Red wins {w}%, draw {d}%, Black wins {l}%", "红胜{w}%，和{d}%，黑胜{l}%", "紅勝{w}%，和{d}%，黑勝{l}%"],
  book: ["Opening book", "开局库", "開局庫"], noBook: ["The book has no moves for this position.", "开局库中没有此局面。", "開局庫中沒有此局面。"], weight: ["weight {n}", "权重{n}", "權重{n}"],
  "unplayed-loses": ["loses by repetition", "重复作负", "重複作負"], "unplayed-draws": ["draws by repetition", "重复作和", "重複作和"], "unplayed-wins": ["wins by repetition", "重复作胜", "重複作勝"],
  "unplayed-repeats": ["repeats a position", "重复局面", "重複局面"], "unplayed-lets-end": ["lets the opponent end the game", "对方可按规则终局", "對方可按規則終局"],
  bookWeight: ["Weight", "权重", "權重"], addMove: ["Add to the book", "加入开局库", "加入開局庫"], bookMirror: ["The position is symmetrical: the book has {move} as its mirror image.", "局面左右对称，{move}与其对称着法是同一条目。", "局面左右對稱，{move}與其對稱著法是同一條目。"], bookLine: ["{n} moves are in the book.", "{n}着已在开局库中。", "{n}著已在開局庫中。"], removeMove: ["Remove {move} from the book", "从开局库删除{move}", "從開局庫刪除{move}"],
  explorer: ["Played games", "对局库", "對局庫"], ownGames: ["Games available in this page", "此处的对局", "此處的對局"], gameCount: ["{n} game|{n} games", "{n}局", "{n}局"],
  noGameHere: ["No game reaches this position.", "没有出现过此局面的对局。", "沒有出現過此局面的對局。"], lastPosition: ["No game continues from here.", "此后没有着法。", "此後沒有著法。"],
  endgame: ["Endgame table", "残局库", "殘局庫"], "exact-win": ["wins in {n} ply|wins in {n} plies", "必胜，{n}着", "必勝，{n}著"], "exact-draw": ["draws", "必和", "必和"], "exact-loss": ["loses in {n} ply|loses in {n} plies", "必负，{n}着", "必負，{n}著"],
  "exact-unknown": ["not in the tables", "残局库中没有", "殘局庫中沒有"], byRepetition: ["by the rules of repetition", "（循环规则）", "（循環規則）"],
  review: ["Game analysis", "全局分析", "全局分析"], reviewStart: ["Analyse the whole game", "分析全局", "分析全局"], reviewStop: ["Stop", "停止", "停止"], reviewTime: ["Time for each move", "每着用时", "每著用時"],
  reviewAt: ["Ply {n} of {of}", "第{n}着，共{of}着", "第{n}著，共{of}著"], accuracy: ["accuracy {n}", "准确率{n}", "準確率{n}"], graph: ["Red’s expected score over the game", "红方期望得分走势", "紅方期望得分走勢"],
  graphHelp: ["Click to go to a move. ■ blunder, ● mistake", "点击跳到该着。■ 漏着，● 失误", "點擊跳到該著。■ 漏著，● 失誤"], nextMistake: ["Next mistake", "下一个失误", "下一個失誤"],
  brilliant: ["brilliant", "妙着", "妙著"], interesting: ["interesting", "值得注意", "值得注意"], good: ["good", "好着", "好著"], inaccuracy: ["inaccuracy", "缓着", "緩著"], mistake: ["mistake", "失误", "失誤"], blunder: ["blunder", "漏着", "漏著"], better: ["Better: {line}", "应走：{line}", "應走：{line}"],
  inaccuracies: ["{n} inaccuracy|{n} inaccuracies", "{n} 缓着", "{n} 緩著"], mistakes: ["{n} mistake|{n} mistakes", "{n} 失误", "{n} 失誤"], blunders: ["{n} blunder|{n} blunders", "{n} 漏着", "{n} 漏著"],
  reviewDone: ["The game is analysed.", "全局分析完成。", "全局分析完成。"], seconds: ["{n} s", "{n}秒", "{n}秒"],
  rules: ["Rules", "规则", "規則"], ruling: ["Ruling", "裁定", "裁定"], warning: ["Warning: going on like this will be ruled “{verdict}”.", "提醒：继续重复将判{verdict}。", "提醒：繼續重複將判{verdict}。"],
  "red-loses": ["Red loses", "红方负", "紅方負"], "black-loses": ["Black loses", "黑方负", "黑方負"], draw: ["Draw", "和棋", "和棋"], undecided: ["Undecided", "未分胜负", "未分勝負"],
  checkmate: ["checkmate", "将死", "將死"], stalemate: ["no legal move", "困毙", "困斃"], repetition: ["repetition", "循环局面", "循環局面"], natural_limit: ["natural limit", "自然限着", "自然限著"], bare_material: ["nobody can win", "双方无法取胜", "雙方無法取勝"],
  resigned: ["{side} resigns", "{side}认输", "{side}認輸"], flagged: ["{side} is out of time", "{side}超时", "{side}超時"], 
  opponent: ["Opponent", "对手", "對手"], engine: ["chuhe", "楚河", "楚河"], human: ["Another person at this board", "同机双人", "同機雙人"], nobody: ["Nobody: analyse", "无：自由分析", "無：自由分析"],
  yourSide: ["Your side", "执棋方", "執棋方"], random: ["Random", "随机", "隨機"], level: ["Level", "级别", "級別"], clock: ["Clock", "计时", "計時"], noClock: ["No clock", "不计时", "不計時"], minutes: ["{m} min + {s} s", "{m}分 + {s}秒", "{m}分 + {s}秒"],
  from: ["From", "起始", "起始"], fromStart: ["The start of the game", "标准开局", "標準開局"], fromHere: ["The position on the board", "当前局面", "目前局面"], begin: ["Begin", "开始", "開始"], useBook: ["Use the opening book", "使用开局库", "使用開局庫"],
  openTitle: ["Open a game", "打开棋谱", "開啟棋譜"], drop: ["Drop a file anywhere in the page, or choose one:", "将文件拖入页面，或选择文件：", "將檔案拖入頁面，或選擇檔案："], 
  paste: ["Or paste a record, a FEN or moves in any notation:", "或粘贴棋谱、FEN 或任意记谱法的着法：", "或貼上棋譜、FEN 或任意記譜法的著法："], pasted: ["The text", "文本", "文字"], openPasted: ["Open the text", "打开文本", "開啟文字"], given: ["Files given on the command line", "命令行指定的文件", "命令列指定的檔案"],
  withReview: ["With the scores and marks of the analysis", "包含分析的分数和符号", "包含分析的分數和符號"],
  offerDraw: ["Offer a draw", "提和", "提和"], resignTitle: ["{side}: resign the game?", "{side}：确定认输？", "{side}：確定認輸？"], playOn: ["Play on", "继续对局", "繼續對局"], accept: ["Accept", "同意", "同意"],
  drawTitle: ["{side} offers a draw. Does {other} accept?", "{side}提和，{other}同意吗？", "{side}提和，{other}同意嗎？"], agreed: ["draw agreed", "双方同意和棋", "雙方同意和棋"], drawAccepted: ["chuhe accepts the draw: {reason}.", "楚河同意和棋：{reason}。", "楚河同意和棋：{reason}。"], drawRefused: ["chuhe declines the draw: {reason}.", "楚河不同意和棋：{reason}。", "楚河不同意和棋：{reason}。"],
  "draw-worse": ["its position is worse", "楚河处于劣势", "楚河處於劣勢"], "draw-drawn": ["the endgame tables show a draw", "残局库判定为和棋", "殘局庫判定為和棋"], "draw-little-force": ["the position is level with few attackers left", "局面均势，双方子力不多", "局面均勢，雙方子力不多"], "draw-quiet": ["the position is level, and nothing has been captured for a long time", "局面均势，久无吃子", "局面均勢，久無吃子"],
  "draw-better": ["its position is better", "楚河占优", "楚河佔優"], "draw-too-early": ["the game is still in the opening", "尚在开局阶段", "尚在開局階段"], "draw-much-left": ["there is much left to play for", "局面仍可一战", "局面仍可一戰"], drawAgain: ["chuhe has just declined. Offer again after {n} more move.|chuhe has just declined. Offer again after {n} more moves.", "楚河刚刚拒绝，请再走{n}个回合后提和。", "楚河剛剛拒絕，請再走{n}個回合後提和。"], drawOnTurn: ["Offer a draw when it is your turn.", "请在轮到您走棋时提和。", "請在輪到您走棋時提和。"],
  sounds: ["Sounds", "声音", "聲音"], soundsOn: ["Sounds are on.", "声音已开启。", "聲音已開啟。"], soundsOff: ["Sounds are off.", "声音已关闭。", "聲音已關閉。"],
  keys: ["Keys", "快捷键", "快速鍵"], keySteps: ["Step through the game", "前后浏览", "前後瀏覽"], keyVariations: ["Switch between variations", "切换变着", "切換變著"], keyEnds: ["First and last position", "起始局面与最后局面", "起始局面與最後局面"], keyEnter: ["On the board: pick up or put down a piece", "在棋盘上：拿起、放下棋子", "在棋盤上：拿起、放下棋子"], keyEscape: ["Put a piece back, close a dialogue or the puzzles", "放回棋子、关闭对话框或习题", "放回棋子、關閉對話框或習題"],
  mouseWheel: ["The mouse wheel over the board steps through the game.", "在棋盘上滚动鼠标滚轮可浏览着法。", "在棋盤上捲動滑鼠滾輪可瀏覽著法。"], mouseDraw: ["The right mouse button draws circles and arrows; Shift, Alt and both change the colour. A click away from the pieces clears them.", "鼠标右键画圈和箭头；按住 Shift、Alt 或两者改变颜色。点击空处即可清除。", "滑鼠右鍵畫圈和箭頭；按住 Shift、Alt 或兩者改變顏色。點擊空處即可清除。"], touchDraw: ["On a touch screen, a long press starts drawing.", "在触摸屏上长按开始画。", "在觸控螢幕上長按開始畫。"],
  shareTitle: ["Link", "链接", "連結"], shareHelp: ["The link contains the game itself; nothing is uploaded.", "对局内容就在网址中，不会发送给任何人。", "對局內容就在網址中，不會傳送給任何人。"], linkGame: ["Link to the game", "对局链接", "對局連結"], linkPosition: ["Link to the position", "局面链接", "局面連結"], copyLink: ["Link", "链接", "連結"], badLink: ["{message}", "链接已损坏或不完整，无法读取其中的对局。", "連結已損壞或不完整，無法讀取其中的對局。"], largeLink: ["{message}", "链接中的对局过大。", "連結中的對局過大。"], oldBrowser: ["{message}", "浏览器版本过旧，无法打开此链接。", "瀏覽器版本過舊，無法開啟此連結。"], openedLink: ["The game from the link is open.", "已打开链接中的对局。", "已開啟連結中的對局。"], longLink: ["The link has {n} characters; some programs truncate long links. A file is safer.", "链接长达{n}个字符，有些程序会截断，建议改用文件。", "連結長達{n}個字元，有些程式會截斷，建議改用檔案。"],
  myGames: ["My games", "我的对局", "我的對局"], find: ["Search", "搜索", "搜尋"], noGames: ["No games yet. Every game is saved here automatically.", "尚无对局。所有对局都会自动保存在这里。", "尚無對局。所有對局都會自動儲存在這裡。"], notFound: ["Nothing found.", "未找到。", "未找到。"],
  deleteTitle: ["Delete {move} and all moves after it?", "删除{move}及其后的着法？", "刪除{move}及其後的著法？"],
  rename: ["Rename", "重命名", "重新命名"], delete: ["Delete", "删除", "刪除"], saveGameAs: ["Save as a file", "另存为文件", "另存為檔案"], exportAll: ["Save all as one PGN file", "全部保存为一个 PGN 文件", "全部儲存為一個 PGN 檔案"], notExported: ["{n} game could not be written.|{n} games could not be written.", "{n}局未能写出。", "{n}局未能寫出。"],
  plies: ["{n} ply|{n} plies", "{n}着", "{n}著"], playing: ["in play", "进行中", "進行中"], onBoard: ["on the board", "当前棋盘", "目前棋盤"], otherTab: ["in another tab", "在另一标签页", "在另一分頁"],
  deleted: ["{name} is deleted.", "已删除：{name}", "已刪除：{name}"], deletedGames: ["Deleted in the last 30 days ({n})", "最近30天内删除（{n}）", "最近30天內刪除（{n}）"], bringBack: ["Restore", "恢复", "復原"], removeDeleted: ["Delete for good", "彻底删除", "徹底刪除"], removeTitle: ["Delete {n} game for good?|Delete {n} games for good?", "彻底删除这{n}局？", "徹底刪除這{n}局？"],
  noLibrary: ["This browser does not store games here, for example in a private window. Save what you need as a file.", "浏览器不允许在此保存对局（例如无痕窗口）。请将需要的对局保存为文件。", "瀏覽器不允許在此儲存對局（例如無痕視窗）。請將需要的對局儲存為檔案。"],
  elsewhere: ["This game is open in another tab. Changes made here go to a copy.", "此对局已在另一标签页打开，在此修改将另存为副本。", "此對局已在另一分頁開啟，在此修改將另存為副本。"], takeOver: ["Continue here", "在此继续", "在此繼續"], "copied-game": ["The game is also open in another tab; this page continues with a copy.", "此对局在另一标签页也已打开：本页使用副本继续。", "此對局在另一分頁也已開啟：本頁使用副本繼續。"],
  games: ["Games of {name}", "{name} 中的对局", "{name} 中的對局"], gameOf: ["Game {n} of {of}", "第{n}局，共{of}局", "第{n}局，共{of}局"], untitled: ["Game {n}", "第{n}局", "第{n}局"], unnamed: ["Game", "对局", "對局"], moreGames: ["{n} more game is not listed.|{n} more games are not listed.", "另有{n}局未列出。", "另有{n}局未列出。"], noFile: ["{name} cannot be read. Folders cannot be opened, only files.", "无法读取 {name}。只能打开文件，不能打开文件夹。", "無法讀取 {name}。只能開啟檔案，不能開啟資料夾。"], oneFile: ["{name} is open, but the other file is not: drop one file at a time.|{name} is open, but the other {n} files are not: drop one file at a time.", "已打开 {name}，其余{n}个未打开：请逐个拖入。", "已開啟 {name}，其餘{n}個未開啟：請逐個拖入。"],
  opened: ["{name} is open.", "已打开 {name}。", "已開啟 {name}。"],
  warnings: ["Could not be read", "未能读取的内容", "未能讀取的內容"], 
  saveTitle: ["Save", "保存", "儲存"], saveGame: ["The game with variations and comments", "对局（含变着和注释）", "對局（含變著和注釋）"], savePosition: ["The position on the board", "当前局面", "目前局面"], saveReport: ["The analysed game as an HTML page", "全局分析报告", "全局分析報告"], reportFirst: ["Analyse the game first.", "请先分析全局。", "請先分析全局。"],
  withOthers: ["With the other games of {name}", "连同 {name} 中的其他对局", "連同 {name} 中的其他對局"], encoding: ["Encoding", "编码", "編碼"], losses: ["{name} is saved. The format cannot store: {losses}", "{name} 已保存。该格式无法保存的内容：{losses}", "{name} 已儲存。該格式無法儲存的內容：{losses}"], saved: ["{name} is saved.", "{name} 已保存。", "{name} 已儲存。"],
  copyFen: ["Copy FEN", "复制 FEN", "複製 FEN"], copied: ["Copied.", "已复制。", "已複製。"],
  tags: ["Game details", "对局信息", "對局資訊"], Event: ["Event", "赛事", "賽事"], Site: ["Site", "地点", "地點"], Date: ["Date", "日期", "日期"], Round: ["Round", "轮次", "輪次"], Title: ["Title", "标题", "標題"], result: ["Result", "结果", "結果"],
  language: ["Language", "语言", "語言"], notation: ["Move notation", "记谱法", "記譜法"], pieces: ["Pieces", "棋子", "棋子"], characters: ["Traditional characters", "繁体字", "繁體字"], simplified: ["Simplified characters", "简体字", "簡體字"], letters: ["Letters", "字母", "字母"],
  edges: ["Board edges", "边线标记", "邊線標記"], files: ["File numbers", "纵线序号", "縱線序號"], points: ["Coordinates a0 to i9", "坐标 a0–i9", "座標 a0–i9"], none: ["Nothing", "无", "無"], theme: ["Colours", "配色", "配色"], auto: ["Same as the system", "跟随系统", "跟隨系統"], light: ["Light", "浅色", "淺色"], dark: ["Dark", "深色", "深色"],
  arrows: ["Arrows for the engine’s lines", "显示引擎箭头", "顯示引擎箭頭"], animate: ["Animate pieces", "棋子移动动画", "棋子移動動畫"], historical: ["historical", "历史记谱法", "歷史記譜法"],
  setupTitle: ["Set up a position", "摆局", "擺局"], eraser: ["Eraser", "橡皮", "橡皮"], side: ["To move", "先走方", "先走方"], clear: ["Clear", "清空", "清空"], standard: ["Start position", "标准开局", "標準開局"], fen: ["FEN", "FEN", "FEN"], done: ["Use this position", "使用此局面", "使用此局面"], legal: ["The position is legal.", "局面合法。", "局面合法。"], notPlayable: ["Games cannot be played from it:", "该局面不合规则：", "該局面不合規則："], onlyDiagram: ["It can be played, but not analysed:", "可以走棋，但引擎不分析：", "可以走棋，但引擎不分析："],
  no_king: ["{side} has no king.", "{side}没有{piece}。", "{side}沒有{piece}。"], many_kings: ["{side} has more than one king.", "{side}有多个{piece}。", "{side}有多個{piece}。"], too_many: ["{at}: too many pieces of this kind ({piece}).", "{at}：{piece}数量过多。", "{at}：{piece}數量過多。"], misplaced: ["{at}: {piece} cannot stand here.", "{at}：{piece}不能在此处。", "{at}：{piece}不能在此處。"], kings_facing: ["The kings face each other with no piece between them.", "将帅照面，两者之间没有棋子。", "將帥照面，兩者之間沒有棋子。"], king_capturable: ["{at}: the side to move could take the {piece}.", "{at}：走棋方可直接吃{piece}。", "{at}：走棋方可直接吃{piece}。"], text: ["{message}", "{message}", "{message}"],
  puzzles: ["Puzzles", "习题", "習題"], all: ["All", "全部", "全部"], "theme-of": ["Theme", "主题", "主題"], rating: ["Rating", "难度", "難度"], ownPuzzles: ["Your puzzles (.jsonl, .pgn)", "自备习题（.jsonl、.pgn）", "自備習題（.jsonl、.pgn）"],
  noPuzzles: ["{name}: no puzzles, expected a file written by chuhe puzzles", "{name}：没有习题，请选择 chuhe puzzles 生成的文件", "{name}：沒有習題，請選擇 chuhe puzzles 產生的檔案"],
  "goal-mate": ["mate in {n}", "{n}步杀", "{n}步殺"], "goal-win": ["find the only winning move", "找出唯一的胜着", "找出唯一的勝著"], "goal-draw": ["find the only move that holds the draw", "找出唯一的守和着法", "找出唯一的守和著法"],
  rightMove: ["Right. Go on.", "正确，请继续。", "正確，請繼續。"], wrongMove: ["Not the solution. Try again.", "不正确，请再试一次。", "不正確，請再試一次。"],
  puzzleSolved: ["Solved.", "解出了。", "解出了。"], puzzleAgain: ["This puzzle will be repeated.", "此题稍后重做。", "此題稍後重做。"], nextPuzzle: ["Next puzzle", "下一题", "下一題"], "analyse-it": ["Analyse", "分析", "分析"], solution: ["Solution", "答案", "答案"],
  hintPiece: ["The {piece} on {at} moves.", "走{at}的{piece}。", "走{at}的{piece}。"], hintMove: ["The {piece} goes from {from} to {to}.", "{piece}从{from}走到{to}。", "{piece}從{from}走到{to}。"], "repetition-of": ["repetition", "重做", "重做"],
  puzzleTotals: ["Solved {solved} · failed {failed} · to be repeated {waiting}", "解出{solved} · 失败{failed} · 待重做{waiting}", "解出{solved} · 失敗{failed} · 待重做{waiting}"],
  puzzlesWait: ["{n} puzzle is to be repeated, at {at}.|{n} puzzles are to be repeated, the first at {at}.", "{n}题待重做，最早于{at}。", "{n}題待重做，最早於{at}。"], puzzlesDone: ["All puzzles of this selection are solved.", "所选习题已全部解出。", "所選習題已全部解出。"],
  "theme-mate-in-1": ["Mate in 1", "一步杀", "一步殺"], "theme-mate-in-2": ["Mate in 2", "两步杀", "兩步殺"], "theme-mate-in-3": ["Mate in 3", "三步杀", "三步殺"], "theme-mate-in-4": ["Mate in 4", "四步杀", "四步殺"], "theme-mate-in-5": ["Mate in 5", "五步杀", "五步殺"],
  "theme-win": ["Only winning move", "唯一胜着", "唯一勝著"], "theme-draw": ["Only drawing move", "唯一守和", "唯一守和"], "theme-rook-mate": ["Mate by a rook", "车杀", "車殺"], "theme-cannon-mate": ["Mate by a cannon", "炮杀", "炮殺"], "theme-horse-mate": ["Mate by a horse", "马杀", "馬殺"], "theme-pawn-mate": ["Mate by a pawn", "兵杀", "兵殺"], "theme-king-mate": ["Mate by the king", "帅杀", "帥殺"], "theme-stalemate": ["No legal move", "困毙", "困斃"],
  "theme-double-check": ["Double check", "双将", "雙將"], "theme-discovered-check": ["Discovered check", "闪将", "閃將"], "theme-sacrifice": ["Sacrifice", "弃子", "棄子"], "theme-quiet-move": ["Quiet move", "停着", "停著"], "theme-evasion": ["Out of check", "解将", "解將"], "theme-exchange": ["Exchange won", "得车失马炮", "得車失馬炮"], "theme-wins-rook": ["Rook won", "得车", "得車"], "theme-wins-cannon": ["Cannon won", "得炮", "得炮"], "theme-wins-horse": ["Horse won", "得马", "得馬"],
  "theme-endgame": ["Endgame", "残局", "殘局"], "theme-exact": ["Exact endgame", "定式残局", "定式殘局"], "theme-double-cannons": ["Double cannons", "重炮", "重炮"], "theme-horse-cannon": ["Cannon behind the horse", "马后炮", "馬後炮"], "theme-smothered": ["Smothered in the palace", "闷宫", "悶宮"], "theme-elbow-horse": ["Elbow horse", "卧槽马", "臥槽馬"], "theme-corner-horse": ["Corner horse", "挂角马", "掛角馬"], "theme-palace-heart": ["Knife in the heart", "大刀剜心", "大刀剜心"],
  tooLarge: ["Larger than {n} MiB, the most that can be opened here. Name the file on the command line instead: chuhe serve FILE", "超过可打开的{n} MiB。请在命令行中指定：chuhe serve 文件", "超過可開啟的{n} MiB。請在命令列中指定：chuhe serve 檔案"],
  busy: ["The engine cannot search now ({reason}). Try again in a moment.", "引擎暂时无法思考（{reason}），请稍后再试。", "引擎暫時無法思考（{reason}），請稍後再試。"], busyServer: ["The engine cannot search now ({message}). Try again in a moment.", "引擎暂时无法思考，请稍后再试。", "引擎暫時無法思考，請稍後再試。"], notStored: ["The browser has no space left to store this game, so it is lost when the page closes. Save it as a file.", "浏览器空间不足，关闭页面后无法保留此对局，请保存为文件。", "瀏覽器空間不足，關閉頁面後無法保留此對局，請儲存為檔案。"],
};

const PIECES = {
  en: { K: "king", A: "advisor", B: "elephant", N: "horse", R: "rook", C: "cannon", P: "pawn" },
  red: { K: "帅", A: "仕", B: "相", N: "马", R: "车", C: "炮", P: "兵" },
  black: { K: "将", A: "士", B: "象", N: "马", R: "车", C: "炮", P: "卒" },
};

// Chinese titles, by id, of what the program describes in English.
const TITLES = {
  notation: { iccs: "ICCS 坐标", uci: "UCI、UCCI 坐标", uci10: "横线1至10的坐标（Fairy-Stockfish）", wxf: "世界象棋联合会1999年标准", wxr: "世界象棋规则2018，现行标准", tandem: "初学者记法，叠兵单独计", chinese: "繁体中文", "chinese-simplified": "简体中文", vietnamese: "越南象棋联合会", shorthand: "旧时简记（《北方棋艺》）", "old-manual": "《象棋老谱》英文记法", meng: "孟宝林坐标", poem: "《梅花谱》，每点一字", descriptive: "文字记法，可能有歧义", hodges: "将棋式记法（Hodges）" },
  rules: { world: "世界象棋规则2018：长将、长捉判负", chinese: "中国象棋竞赛规则：连续将、杀、捉须变着", simple: "长将判负，其他循环判和", "always-draw": "任何循环都判和" },
  format: { pgn: "通用棋谱格式", xqf: "象棋演播室", cbr: "象棋桥棋谱", cbl: "象棋桥棋谱库", cbf: "象棋桥 XML 棋谱", ubb: "东萍象棋 DhtmlXQ（UBB）", wxf: "XieXie、PlayOK 的 WXF 棋谱", txq: "TCHESS 棋谱", fen: "FEN 或 EPD，每行一局面" },
};

// What formats cannot store, in Chinese.
const LOSSES = {
  "comments": "注释", "results": "结果", "drawings": "图示标记", "moves of variations": "变着中的着法", "move marks such as ! and ?": "着法评注符号（如 !、?）",
  "move counters of the start position": "起始局面的回合计数", "other games": "其他对局", "games that cannot be read": "无法读取的对局", "moves of other games that cannot be read": "其他对局中无法读取的着法",
  "tags shortened": "被截短的标签", "line breaks in tags": "标签中的换行", "blanks and signs in names of tags, left out": "标签名称中的空格和符号（已略去）", "quotation marks before brackets in tags, written as ”": "标签中方括号前的引号（写作”）", "semicolons in names, written as ；": "名称中的分号（写作；）",
  "braces in comments, written as full-width ones": "注释中的花括号（写作全角）", "parentheses in comments, written as full-width ones": "注释中的圆括号（写作全角）",
  "characters that XML lacks, left out": "XML 中没有的字符（已略去）", "characters that the encoding lacks, written as '?'": "编码中没有的字符（写作?）", "characters that GBK lacks, written as '?'": "GBK 中没有的字符（写作?）",
};

let language = 0;
export const LANGUAGES = [["en", "English"], ["zh-Hans", "简体中文"], ["zh-Hant", "繁體中文"]];

export function setLanguage(name) {
  language = Math.max(0, LANGUAGES.findIndex(([id]) => id === name));
  document.documentElement.lang = LANGUAGES[language][0];
}

/** The language of texts by the server. */
export const tongue = () => (language ? "zh" : "en");

/** A text with its placeholders filled in. A text for one thing precedes that for several: `{n} game|{n} games`. */
export function t(key, parts = {}) {
  const forms = WORDS[key]?.[language]?.split("|") ?? [key];
  return forms.at(parts.n === 1 ? 0 : -1).replace(/\{(\w+)\}/g, (_, name) => parts[name] ?? "");
}

/** Converts Chinese text by the server, which writes only simplified characters, to the current script. */
export const scripted = (text) => (language === 2 ? traditional(text) : text);

/** Selects the current language of a bilingual name. */
export const named = (name) => (name ? (language ? scripted(name.zh) : name.en) : "");

/** The descriptions of the levels, from the greeting. */
export const levelNames = (hello) => (language ? hello?.levels_chinese?.map(scripted) : hello?.levels) ?? [];

/** The title of a `notation`, of `rules` or of a `format`. */
export const titled = (kind, { id, title }) => (language && TITLES[kind][id] ? scripted(TITLES[kind][id]) : title);

/** A heading and what follows it, with the colon of the language. */
export const headed = (head, text) => `${head}${language ? "：" : ": "}${text}`;

/** The parts of a list of sentences. */
export const joined = (parts) => parts.join(language ? "；" : "; ");

/** What a format cannot store, in the current language. The program writes it in English: `comments 3, tag Round 1`. */
export function lossText(text) {
  if (!language) return text;
  const name = (what) => LOSSES[what]
    ?? what.replace(/^tags shortened to the field of (\w+)$/, "被截短的标签（$1 的字段有长度限制）").replace(/^tag (.*) where it differs from an earlier game's$/, "标签 $1（与前面的对局不同）").replace(/^tag /, "标签 ");
  return [...text.matchAll(/(.+?) (\d+)(?:, |$)/g)].map(([, what, count]) => `${scripted(name(what))} ×${count}`).join("、");
}

/** What is wrong, from a message of the program, which has it in Chinese if a user can meet it. */
export const problemText = ({ message, message_chinese: chinese }) => (language && chinese ? `${scripted(chinese)}。` : t("failed", { message }));

/** The name of a piece, by its FEN letter. */
export function pieceName(letter) {
  const kind = letter.toUpperCase();
  const side = letter === kind ? "red" : "black";
  if (!language) return `${t(side).toLowerCase()} ${PIECES.en[kind]}`;
  return scripted((side === "red" ? "红" : "黑") + PIECES[side][kind]);
}

/** The name of a side, capitalized also within an English sentence. */
export const sideName = (side) => t(side);

// The simplified characters used by rulings, book and levels, and their traditional forms.
const HANS = "宝与两个为乐于仅会体儿兑关内军决准几击则刚删别动势单历双变号后国图处复头学审宫对将尔帅师库应开弃强当执报拦择换摆数断无时显机杀权标横毙没浅浏点牵献环现画盘着码确离简类红级纳纵线终结给统继续缓编胜节规视览计认记许论设评试该语误请读谱负贴赛车转轮输边过还进连选销长门闭闲间随页顺题风飞马业余联独须东桥叠艺旧释从条声义样签钥验损坏这项竞称写圆护绘识";
const HANT = "寶與兩個為樂於僅會體兒兌關內軍決準幾擊則剛刪別動勢單歷雙變號後國圖處復頭學審宮對將爾帥師庫應開棄強當執報攔擇換擺數斷無時顯機殺權標橫斃沒淺瀏點牽獻環現畫盤著碼確離簡類紅級納縱線終結給統繼續緩編勝節規視覽計認記許論設評試該語誤請讀譜負貼賽車轉輪輸邊過還進連選銷長門閉閒間隨頁順題風飛馬業餘聯獨須東橋疊藝舊釋從條聲義樣籤鑰驗損壞這項競稱寫圓護繪識";

function traditional(text) {
  let out = "";
  for (const sign of text) {
    const at = HANS.indexOf(sign);
    out += at < 0 ? sign : HANT[at];
  }
  return out;
}
