package samples

import p "darqline/protocol"

// uiHud is the elements of the HUD and the nametag.
func uiHud() []Sample {
	return []Sample{
		{File: "hud_announcement", Packet: &p.HudAnnouncement{
			Place: p.AnnouncementBottom, Duration: 4000, Style: p.AnnouncementMission, Color: gold, Content: p.AnnouncementContent{Title: "Mission passed!", Text: "{00FF00}$500\nRespect +"},
		}},
		{File: "hud_announcement_remove", Packet: &p.HudAnnouncement{Place: p.AnnouncementCenter}},
		{File: "hud_countdown", Packet: &p.HudCountdown{Slot: 1, Mode: p.CountdownUp, Time: 86_400_000, Flags: p.CountdownRuns | p.CountdownTenths, Color: gold, Label: "Lap {FFC810}2"}},
		{File: "hud_countdown_go", Packet: &p.HudCountdown{Slot: 0, Mode: p.CountdownLarge, Time: 3000, Flags: p.CountdownRuns | p.CountdownTicks, Label: "Race", End: "GO!"}},
		{File: "hud_countdown_remove", Packet: &p.HudCountdown{Slot: 1}},
		{File: "hud_status_line", Packet: &p.HudStatusLine{Slot: 7, Present: true, Place: p.PlaceBottomRight, Order: -5, Icon: icon("fuel"), Color: gold, Text: "Fuel {FF0000}12 %"}},
		{File: "hud_status_line_remove", Packet: &p.HudStatusLine{Slot: 7}},
		{File: "hud_kill_feed_add", Packet: &p.HudKillFeedAdd{
			Cause: 34, Flags: p.KillFeedHeadShot | p.KillFeedYou, KillerColor: gold, VictimColor: p.RGBA{R: 1, G: 2, B: 3, A: 4}, Killer: "CJ_{Johnson}", Victim: "Ryder",
		}},
		{File: "hud_kill_feed_add_script", Packet: &p.HudKillFeedAdd{Cause: p.CauseScript, Victim: long("v", 47)}},
		{File: "hud_kill_feed_clear", Packet: &p.HudKillFeedClear{}},
		{File: "hud_progress", Packet: &p.HudProgress{
			Slot: 3, Present: true, Flags: p.ProgressRuns | p.ProgressHold, Duration: 3_600_000, Elapsed: 1500, Cancel: 4000, Color: gold, Text: "Picking the lock",
		}},
		{File: "hud_progress_ring", Packet: &p.HudProgress{Slot: 1, Present: true, Style: p.GaugeRing, Flags: p.ProgressRuns, Text: "Waiting"}},
		{File: "hud_progress_remove", Packet: &p.HudProgress{Slot: 3}},
		{File: "hud_notification_add", Packet: &p.HudNotificationAdd{
			NotificationID: 4501, Duration: 5000, Kind: p.MessageSuccess, Flags: p.NotificationTimeBar | p.NotificationSound, Icon: icon("money"),
			Content: p.NotificationContent{Title: "Bank", Text: "You got {FFC810}$500\n2\n3\n4\n5\n6"},
		}},
		{File: "hud_notification_clear", Packet: &p.HudNotificationClear{NotificationID: 4501}},
		{File: "hud_notification_clear_all", Packet: &p.HudNotificationClear{}},
		{File: "objective_marker", Packet: &p.ObjectiveMarker{
			Slot: 15, Present: true, Icon: icon("target"), Flags: p.MarkerEdge | p.MarkerOccluded, Position: p.Vec3{X: 2495.25, Y: -1688.5, Z: 13.75}, Color: gold,
			Near: 5, Far: 10000, Text: "Your {FFC810}truck",
		}},
		{File: "objective_marker_attached", Packet: &p.ObjectiveMarker{
			Slot: 2, Present: true, Icon: icon("person"), Flags: p.MarkerDistance, Attachment: p.Attachment{Attach: p.AttachPlayer, AttachID: 258, AttachToken: 70001},
			Position: p.Vec3{Z: 1.25}, Near: 1000,
		}},
		{File: "objective_marker_remove", Packet: &p.ObjectiveMarker{Slot: 15}},
		{File: "hud_gauge", Packet: &p.HudGauge{
			Slot: 7, Present: true, Place: p.PlaceTopRight, Order: 300, Icon: icon("food"), Segments: 20, Decimals: 1, Flags: p.GaugeShowsNumber,
			Max: 100, Value: 62.5, Rate: -0.25, Warn: 20, Color: gold, Label: "Hunger", Unit: "%",
		}},
		{File: "hud_gauge_number", Packet: &p.HudGauge{Slot: 2, Present: true, Style: p.GaugeNumber, Place: p.PlaceBottomLeft, Decimals: 2, Max: 1e9, Value: 12.75, Rate: 1e9, Label: "Respect", Unit: "points"}},
		{File: "hud_gauge_remove", Packet: &p.HudGauge{Slot: 7}},
		{File: "hud_speedometer", Packet: &p.HudSpeedometer{
			Present: true, Unit: p.SpeedMph, Parts: p.SpeedometerGear | p.SpeedometerFuel | p.SpeedometerHealth | p.SpeedometerDistance,
			Max: 260, Fuel: 0.75, Distance: 12345.5, Color: gold, Text: "Infernus",
		}},
		{File: "hud_speedometer_remove", Packet: &p.HudSpeedometer{}},
		{File: "player_nametag", Packet: &p.PlayerNametag{
			PlayerID: 258, PlayerToken: 70001, Flags: p.NametagShown | p.NametagArmor | p.NametagSigns, Color: gold, Distance: 40, Icon: icon("shield"),
			Name: "{FFC810}CJ", Text: "Officer",
		}},
	}
}
